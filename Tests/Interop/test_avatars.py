"""B2, ProfileService SetAvatar and GetAvatar; the same for the images of places (F1)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import pytest
from client import Caller
from messages import pb
from world import JPEG, PNG, WEBP, World, unique

KINDS = [(PNG, "image/png"), (JPEG, "image/jpeg"), (WEBP, "image/webp")]
NO_IMAGES = [
    b"GIF89a\x01\0\x01\0",
    b"hello",
    b"\x89PNG",
    b"RIFF\x10\0\0\0WAVEfmt ",
    b"RIFF",
    b"\xff\xd8",
    b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    b"\0" * 64,
]


def image(kind: bytes) -> bytes:
    """A new image of this kind."""
    return kind + unique("pixels").encode()


@dataclass
class Kept:
    """Something that has an image: a person, or a place in one of two ways."""

    set: str
    get: str
    key: str
    which: int

    def owner(self, world: World) -> bytes:
        return world.people(1)[0] if self.set == "SetAvatar" else world.place()

    def arguments(self, owner: bytes) -> dict[str, object]:
        if self.set == "SetAvatar":
            return {"profile_id": owner}
        return {"location_id": owner, "which": self.which}

    def put(self, caller: Caller, owner: bytes, content: bytes) -> bytes:
        """Sets the image and gives its id."""
        body = caller.done(self.set, image=content, **self.arguments(owner))
        if self.set == "SetAvatar":
            return body.profile.avatar_id
        square = self.which == pb.LOCATION_IMAGE_SQUARE
        return body.location.square_image_id if square else body.location.banner_image_id

    def delete(self, caller: Caller, owner: bytes) -> None:
        method = "DeleteProfile" if self.set == "SetAvatar" else "DeleteLocation"
        caller.done(method, id=owner)


@pytest.fixture(
    params=[
        Kept("SetAvatar", "GetAvatar", "avatar_id", 0),
        Kept("SetLocationImage", "GetLocationImage", "image_id", pb.LOCATION_IMAGE_SQUARE),
        Kept("SetLocationImage", "GetLocationImage", "image_id", pb.LOCATION_IMAGE_BANNER),
    ],
    ids=["avatar", "square", "banner"],
)
def kept(request: pytest.FixtureRequest) -> Kept:
    return request.param


@pytest.mark.parametrize(("kind", "media_type"), KINDS)
def test_B2_an_image_is_kept_by_its_hash(
    world: World, admin: Caller, kept: Kept, kind: bytes, media_type: str
) -> None:
    content = image(kind)
    id = kept.put(admin, kept.owner(world), content)
    assert id == hashlib.sha256(content).digest()
    body = admin.done(kept.get, **{kept.key: id})
    assert (body.image, body.media_type) == (content, media_type)


@pytest.mark.parametrize("content", NO_IMAGES)
def test_B2_what_is_no_image_is_refused(
    world: World, admin: Caller, kept: Kept, content: bytes
) -> None:
    arguments = kept.arguments(kept.owner(world))
    assert admin.violations(kept.set, image=content, **arguments) == ["image"]


def test_limits_an_image_has_at_most_512_kib(world: World, admin: Caller, kept: Kept) -> None:
    owner = kept.owner(world)
    most = image(PNG).ljust(512 * 1024, b"\0")
    id = kept.put(admin, owner, most)
    assert admin.done(kept.get, **{kept.key: id}).image == most
    arguments = kept.arguments(owner)
    assert admin.violations(kept.set, image=most + b"\0", **arguments) == ["image"]
    assert admin.done(kept.get, **{kept.key: id}).image == most


def test_B2_an_image_that_nobody_has_is_gone(world: World, admin: Caller, kept: Kept) -> None:
    one, two = kept.owner(world), kept.owner(world)
    content = image(JPEG)
    id = kept.put(admin, one, content)
    assert kept.put(admin, two, content) == id
    assert kept.put(admin, one, b"") == b""
    assert admin.done(kept.get, **{kept.key: id}).image == content
    kept.put(admin, two, image(PNG))
    admin.refused("IMAGE_NOT_FOUND", kept.get, **{kept.key: id})


def test_B6_an_image_goes_with_the_last_who_had_it(world: World, admin: Caller, kept: Kept) -> None:
    one, two = kept.owner(world), kept.owner(world)
    content = image(WEBP)
    id = kept.put(admin, one, content)
    kept.put(admin, two, content)
    kept.delete(admin, one)
    assert admin.done(kept.get, **{kept.key: id}).image == content
    kept.delete(admin, two)
    admin.refused("IMAGE_NOT_FOUND", kept.get, **{kept.key: id})


def test_B2_a_person_s_own_avatar(world: World) -> None:
    person = world.person("user")
    before = person.caller.done("GetMe").profile
    content = image(PNG)
    after = person.caller.done("SetAvatar", image=content).profile
    assert after.avatar_id == hashlib.sha256(content).digest()
    assert after.revision > before.revision
    assert person.caller.done("GetMe").profile == after
    other = world.stranger("user", "staff")
    other.refused("NOT_ALLOWED", "SetAvatar", profile_id=person.id, image=content)
    assert other.done("GetAvatar", avatar_id=after.avatar_id).image == content


def test_B2_avatars_and_images_of_places_are_apart(world: World, admin: Caller) -> None:
    person = world.person()
    id = person.caller.done("SetAvatar", image=image(PNG)).profile.avatar_id
    admin.refused("IMAGE_NOT_FOUND", "GetLocationImage", image_id=id)


def test_F1_a_place_has_two_images(world: World, admin: Caller) -> None:
    place = world.place()
    square, banner = image(PNG), image(JPEG)
    for which, content in ((1, square), (2, banner)):
        admin.done("SetLocationImage", location_id=place, which=which, image=content)
    location = admin.done("GetLocation", id=place).location
    assert location.square_image_id == hashlib.sha256(square).digest()
    assert location.banner_image_id == hashlib.sha256(banner).digest()
    one = {"location_id": place, "image": square}
    assert admin.violations("SetLocationImage", **one) == ["which"]


def test_B2_one_place_may_show_one_image_twice(world: World, admin: Caller) -> None:
    place, content = world.place(), image(PNG)
    for which in (1, 2):
        admin.done("SetLocationImage", location_id=place, which=which, image=content)
    admin.done("SetLocationImage", location_id=place, which=1, image=b"")
    id = hashlib.sha256(content).digest()
    assert admin.done("GetLocationImage", image_id=id).image == content
    admin.done("SetLocationImage", location_id=place, which=2, image=b"")
    admin.refused("IMAGE_NOT_FOUND", "GetLocationImage", image_id=id)
