"""F2 and D3, LocationService ListLocations: by name, by part of a name, and near a point."""

from __future__ import annotations

import random
from typing import Any

import pytest
from client import Caller
from world import World, haversine_m, unique

NAN = float("nan")


def names(admin: Caller, **question: Any) -> list[str]:
    """The names in all pages of an answer."""
    return [
        result.location.name
        for page in admin.pages("ListLocations", **question)
        for result in page.results
    ]


def test_F2_places_are_listed_by_name_in_code_points_then_id(world: World, admin: Caller) -> None:
    tag = unique("tag")
    endings = ["b", "A", "a", "B", "é", "z", "a", "😀", "\uffee", "1", " "]
    keys = []
    for ending in endings:
        place = world.location(name=f"{tag}{ending}")
        keys.append((place.name, place.id))
    listed = [
        (result.location.name, result.location.id)
        for page in admin.pages("ListLocations", name_contains=tag, page_size=3)
        for result in page.results
    ]
    assert listed == sorted(keys)


FOLDS = [
    ("Café Müller", ["CAFE MULLER", "café", "mu\u0308ller", "fé m", "MÜLL"]),
    ("Große Straße", ["STRASSE", "straße", "grosse s"]),
    ("ﬁne ﬂats", ["fine", "FLATS"]),
    ("Ångström №①", ["angstrom", "\u212bng", "no1"]),
    ("ΟΔΟΣ Αθηνών", ["οδος", "αθηνων"]),
    ("İstanbul", ["istanbul", "ISTANBUL", "İST"]),
    ("Łódź Smørrebrød", ["łodz", "ŁÓDŹ", "smørrebrød"]),
    ("東京タワー", ["東京", "ﾀﾜｰ"]),
    ("100% _real_ 'n' \\up", ["100%", "_real_", "'n'", "\\UP"]),
]


@pytest.mark.parametrize(("name", "queries"), FOLDS)
def test_F2_names_are_found_case_and_accents_aside(
    world: World, admin: Caller, name: str, queries: list[str]
) -> None:
    place = world.location(name=f"{name} {unique('fold')}")
    for query in queries:
        found = names(admin, name_contains=query, page_size=1000)
        assert place.name in found, query


def test_F2_a_search_finds_only_what_contains_it(world: World, admin: Caller) -> None:
    tag = unique("only")
    for ending in ("abc", "a_c", "a%c", "axc", "smørre", "ábc"):
        world.location(name=f"{tag}{ending}")
    found = {
        query: {name.removeprefix(tag) for name in names(admin, name_contains=tag + query)}
        for query in ("a_c", "a%c", "smo", "abc", "abcd", "%", "a*")
    }
    assert found == {
        "a_c": {"a_c"},
        "a%c": {"a%c"},
        "smo": set(),
        "abc": {"abc", "ábc"},
        "abcd": set(),
        "%": set(),
        "a*": set(),
    }


def test_F2_a_search_has_at_most_100_characters(admin: Caller) -> None:
    admin.succeeded("ListLocations", name_contains="한" * 100)
    for query in ("x" * 101, "a\0b", "a\u202eb"):
        assert admin.violations("ListLocations", name_contains=query) == ["name_contains"]
        assert admin.violations("GetBoard", name_contains=query) == ["name_contains"]


def test_F2_a_rename_and_a_delete_are_seen_by_searches(world: World, admin: Caller) -> None:
    old, new = unique("old"), unique("new")
    place = world.location(name=old)
    world.change(place.id, ["name"], name=new)
    assert names(admin, name_contains=old) == [] and names(admin, name_contains=new) == [new]
    admin.done("DeleteLocation", id=place.id)
    assert names(admin, name_contains=new) == []


Point = tuple[float, float]


def scattered(tag: str, admin: Caller, points: list[Point]) -> dict[bytes, Point]:
    """Places at these points, each with the tag in its name."""
    locations = [
        {"name": f"{tag} {index}", "point": {"latitude": lat, "longitude": lon}}
        for index, (lat, lon) in enumerate(points)
    ]
    ids = admin.done("BatchCreateLocations", locations=locations).ids
    return dict(zip(ids, points, strict=True))


def near(admin: Caller, tag: str, centre: Point, radius_m: float, **more: Any) -> list[Any]:
    """What is within the radius, as it comes."""
    question = {
        "near": {"latitude": centre[0], "longitude": centre[1]},
        "radius_m": radius_m,
        "name_contains": tag,
        **more,
    }
    return [r for page in admin.pages("ListLocations", **question) for r in page.results]


CENTRES: list[Point] = [
    (47.3769, 8.5417),
    (0, 0),
    (0, 179.99),
    (-17.0, -179.9),
    (89.9, 12),
    (-90, 0),
    (90, 0),
    (51.5, -0.1),
]


@pytest.mark.parametrize("centre", CENTRES)
def test_F2_nearest_first_with_the_distance_on_the_contract_s_sphere(
    admin: Caller, centre: Point
) -> None:
    seed = 7
    source = random.Random(seed)
    tag = unique("near")
    points: list[Point] = []
    for _ in range(150):
        spread = source.choice([0.001, 0.1, 2, 30, 180])
        latitude = max(-90.0, min(90.0, centre[0] + source.uniform(-spread, spread)))
        longitude = (centre[1] + source.uniform(-spread, spread) + 540) % 360 - 180
        points.append((latitude, longitude))
    places = scattered(tag, admin, points)
    for radius_m in (50.0, 5_000.0, 1_000_000.0, 20_100_000.0):
        results = near(admin, tag, centre, radius_m, page_size=40)
        wanted = {id for id, at in places.items() if haversine_m(centre, at) <= radius_m}
        assert {result.location.id for result in results} == wanted, (seed, radius_m)
        assert len(results) == len(wanted)
        for result in results:
            expected = haversine_m(centre, places[result.location.id])
            assert abs(result.distance_m - expected) <= 0.01 + expected * 1e-9
        keys = [(result.distance_m, result.location.id) for result in results]
        assert keys == sorted(keys), seed


def test_F2_the_same_distance_is_ordered_by_id(admin: Caller) -> None:
    tag = unique("same")
    places = scattered(tag, admin, [(10.0, 10.0)] * 9)
    results = near(admin, tag, (10, 10), 1, page_size=2)
    assert [result.location.id for result in results] == sorted(places)
    assert [result.distance_m for result in results] == [0.0] * 9


def test_F2_the_radius_is_inclusive(admin: Caller) -> None:
    tag = unique("edge")
    scattered(tag, admin, [(10.0, 10.01)])
    distance_m = near(admin, tag, (10, 10), 5000)[0].distance_m
    assert len(near(admin, tag, (10, 10), distance_m)) == 1
    assert len(near(admin, tag, (10, 10), distance_m - 0.001)) == 0


def test_F2_a_place_without_a_position_is_near_nothing(world: World, admin: Caller) -> None:
    tag = unique("lost")
    world.location(name=tag)
    assert near(admin, tag, (0, 0), 30_000_000) == []
    assert names(admin, name_contains=tag) == [tag]


def test_F2_distance_is_0_without_near(world: World, admin: Caller) -> None:
    tag = unique("plain")
    world.location(name=tag, point={"latitude": 1, "longitude": 1})
    body = admin.done("ListLocations", name_contains=tag)
    assert [result.distance_m for result in body.results] == [0]


def test_F2_near_and_radius_go_together(admin: Caller) -> None:
    point = {"latitude": 1, "longitude": 1}
    assert admin.violations("ListLocations", near=point) == ["radius_m"]
    for radius in (-1, NAN):
        assert admin.violations("ListLocations", near=point, radius_m=radius) == ["radius_m"]
    assert admin.violations("ListLocations", radius_m=5) in (["radius_m"], ["near"])
    wrong = admin.violations("ListLocations", near={"latitude": 91}, radius_m=5)
    assert wrong == ["near.latitude"]


def test_a_call_a_token_belongs_to_its_question(world: World, admin: Caller) -> None:
    tag = unique("token")
    for _ in range(4):
        world.location(name=tag, point={"latitude": 5, "longitude": 5})
    around = {"near": {"latitude": 5, "longitude": 5}, "radius_m": 10.0}
    questions: list[dict[str, Any]] = [
        {"name_contains": tag},
        {"name_contains": tag[:-1]},
        {"name_contains": tag, **around},
        {"name_contains": tag, **around, "radius_m": 11.0},
        {"name_contains": tag, **around, "near": {"latitude": 5.00001, "longitude": 5}},
    ]
    tokens = []
    for question in questions:
        body = admin.done("ListLocations", page_size=2, **question)
        assert body.next_page_token
        tokens.append(body.next_page_token)
    for number, question in enumerate(questions):
        for other, token in enumerate(tokens):
            arguments = {**question, "page_token": token}
            if number == other:
                assert len(admin.done("ListLocations", **arguments).results) == 2
            else:
                admin.refused("PAGE_TOKEN_INVALID", "ListLocations", **arguments)


def test_D3_pages_of_places_are_complete_while_others_come_and_go(
    world: World, admin: Caller
) -> None:
    tag = unique("churn")
    stay = {world.location(name=f"{tag} {number:02} stay").id for number in range(12)}
    go = [world.location(name=f"{tag} {number:02} go").id for number in range(12)]
    seen: list[bytes] = []
    for page in admin.pages("ListLocations", name_contains=tag, page_size=3):
        seen.extend(result.location.id for result in page.results)
        admin.done("DeleteLocation", id=go.pop())
        world.location(name=f"{tag} 00 new")
    assert len(seen) == len(set(seen)) and stay <= set(seen)
