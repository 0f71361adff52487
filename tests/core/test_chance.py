"""Chance: portable for ever, so its numbers are fixed here."""

import hashlib
import hmac

from fabletop.core.chance import Chance, commitment, fresh_salt, fresh_seed, stream_word, verify


def test_splitmix64_gives_the_published_numbers():
    chance = Chance(1234567)
    assert [chance.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_streams_are_fixed_for_ever():
    digest = hmac.digest(b"a", b"b:3", "sha256")  # block 3 has the words 12 to 15
    assert stream_word("a", "b", 12) == int.from_bytes(digest[:8], "big") == 0x92D332EBFFA0ACDA
    assert stream_word("a", "b", 15) == int.from_bytes(digest[24:], "big")
    words = {
        stream_word("midsummer", stream, n) for stream in ("table", "seat 0", "seat 1") for n in range(100)
    }
    assert len(words) == 300


def test_below_is_even():
    chance = Chance(5)
    seen = [0] * 6
    for _ in range(6000):
        seen[chance.below(6)] += 1
    assert all(900 < n < 1100 for n in seen)


def test_a_shuffle_keeps_the_items_and_reaches_every_order():
    chance = Chance(1)
    assert len({tuple(chance.shuffled("abc")) for _ in range(100)}) == 6
    assert sorted(chance.shuffled(range(50))) == list(range(50))


def test_a_commitment_binds_and_a_fresh_seed_is_long():
    seed = fresh_seed()
    assert len(seed) == 64
    assert seed != fresh_seed()
    assert verify(seed, commitment(seed).upper() + "\n")
    assert not verify(seed + "x", commitment(seed))


def test_a_salt_hides_a_seed_that_can_be_guessed():
    salt = fresh_salt()
    published = commitment("midsummer", salt)
    assert len(salt) == 32
    assert published == "v2:" + hashlib.sha256(f"fabletop seed:{salt}:midsummer".encode()).hexdigest()
    assert verify("midsummer", published, salt)
    assert not verify("midsummer", published)
    assert not verify("midsummer", published, fresh_salt())
    assert not verify("midwinter", published, salt)


def test_a_commitment_without_a_salt_is_as_it_always_was():
    old = "840afd7d9919ed93631d136b102db6d3107820f54f2a8dcf67ebc2ab7baa3674"
    assert commitment("midsummer") == old
    assert verify("midsummer", old)
    assert not verify(f"{'0' * 32}:midsummer", commitment("midsummer", "0" * 32))
