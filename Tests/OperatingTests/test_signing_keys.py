"""The published keys, read by a library that applications use."""

import json

from joserfc.jwk import ECKey, KeySet
from operator_desk import shell


def published(house) -> KeySet:
    answer = house.ask("GET", "/.well-known/jwks.json")
    assert answer.status == 200
    return KeySet.import_key_set(json.loads(answer.text))


def test_keys_are_named_by_their_thumbprints_and_have_no_private_part(open_house):
    house = open_house()
    first = published(house).keys
    assert len(first) == 1
    shell("vestibule keys rotate", house.folder)
    house.stop()
    again = open_house(house.folder)
    keys = published(again).keys
    assert [key.kid for key in keys[:1]] == [first[0].kid]
    assert len(keys) == 2
    for key in keys:
        assert isinstance(key, ECKey) and not key.is_private
        assert key.thumbprint() == key.kid
        assert (key.curve_name, key.alg, key.get("use")) == ("P-256", "ES256", "sig")
    shell("vestibule keys rotate --compromised", house.folder)
    again.stop()
    left = published(open_house(house.folder)).keys
    assert len(left) == 1 and left[0].kid not in [key.kid for key in keys]
