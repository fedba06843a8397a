// Bytes is a target of its own only for the products that need no more: to all others it is part of
// this one.
@_exported public import Bytes
