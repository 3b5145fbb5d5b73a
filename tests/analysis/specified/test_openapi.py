"""OpenAPI documents and the functions that answer them."""

import ast
import json

from analysis.specified.openapi import InterfaceDocument, dead_references, interface_facts
from analysis.specified.routes import find_route, plain_path, routes_in

ROUTES = """
router = APIRouter(prefix="/shop")

@router.get("/items/{item_id}", status_code=status.HTTP_200_OK)
def read_item(item_id): ...

@app.route("/carts/<int:cart>", methods=["PUT", "POST"])
def put_cart(cart): ...
"""


def document(data):
    return InterfaceDocument("openapi.json", data, json.dumps(data, indent=1))


def routes():
    return tuple(routes_in("app.py", ast.parse(ROUTES)))


def test_routes_of_both_frameworks():
    found = [(each.method, each.path, each.subject, each.status) for each in routes()]
    assert found == [
        ("GET", "/shop/items/{item_id}", "app.py:read_item", "200"),
        ("PUT", "/carts/{cart}", "app.py:put_cart", ""),
        ("POST", "/carts/{cart}", "app.py:put_cart", ""),
    ]
    assert plain_path("/a/<path:rest>/{n:int}") == "/a/{rest}/{n}"


def test_an_operation_is_found_by_the_end_of_a_mounted_path():
    found = find_route(routes(), "PUT", "/v1/carts/{id}", "")
    assert found is not None
    assert found.subject == "app.py:put_cart"
    assert find_route(routes(), "GET", "/v1/carts/{id}", "") is None
    below = find_route(routes(), "GET", "/items/{id}", "")
    assert below is not None
    assert below.subject == "app.py:read_item"


def test_references_are_followed_and_dead_ones_told():
    data = {
        "openapi": "3.1.0",
        "paths": {
            "/shop/items/{id}": {
                "get": {
                    "parameters": [{"$ref": "#/components/parameters/Id"}, {"$ref": "#/components/parameters/None"}],
                    "responses": {"200": {"description": "ok"}, "default": {"description": "other"}},
                }
            }
        },
        "components": {"parameters": {"Id": {"name": "item_id", "in": "path", "schema": {"type": "integer"}}}},
    }
    facts = [fact.claim for fact in interface_facts(document(data), routes(), {}, {})]
    assert facts == [
        "GET /shop/items/{id} status 200",
        "app.py:read_item(item_id) type int",
        "app.py:read_item(item_id) required True",
    ]
    assert [name for name, _ in dead_references(document(data))] == ["#/components/parameters/None"]


def test_a_reference_to_itself_ends():
    loop = {"openapi": "3.0.0", "paths": {}, "components": {"schemas": {"A": {"$ref": "#/components/schemas/A"}}}}
    assert list(interface_facts(document(loop), (), {}, {})) == []


def test_other_documents_are_refused():
    assert "Swagger 2.0" in document({"swagger": "2.0"}).problem
    assert "no key" in document({"info": {}}).problem
    assert "only 3.x" in document({"openapi": "2.0"}).problem
    assert "no mapping" in document({"openapi": "3.0.0", "paths": []}).problem


def test_fields_of_a_body_that_the_operation_lists_itself():
    schema = {"required": ["name"], "properties": {"name": {"type": "string"}, "seats": {"maximum": 9}}}
    body = {"content": {"application/json": {"schema": schema}, "text/plain": {"schema": schema}}}
    named = {"$ref": "#/components/schemas/Cart"}
    data = {
        "openapi": "3.1.0",
        "paths": {
            "/carts/{cart}": {
                "put": {"requestBody": body},
                "post": {"requestBody": {"content": {"application/json": {"schema": named}}}},
            }
        },
        "components": {"schemas": {"Cart": {"properties": {"size": {"type": "integer"}}}}},
    }
    found = [fact.claim for fact in interface_facts(document(data), routes(), {}, {})]
    assert found == [
        "app.py:put_cart(name) type str",
        "app.py:put_cart(name) required True",
        "app.py:put_cart(seats) range <= 9",
        "app.py:put_cart(seats) required False",
        "schema Cart(size) type int",
        "schema Cart(size) required False",
    ]
