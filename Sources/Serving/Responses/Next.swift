package import Hummingbird

/// What comes after a middleware: the next one, or the route.
package typealias Next<Context> = (Request, Context) async throws -> Response
