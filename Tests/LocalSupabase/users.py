"""The users, as the schema "auth" keeps them."""

import json
import re

from .auth_errors import AuthError

ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
SHORTEST_PASSWORD = 6

CREATE = """
insert into auth.users (email, encrypted_password, raw_user_meta_data, email_confirmed_at)
values (lower($1), extensions.crypt($2, extensions.gen_salt('bf', 6)), $3::jsonb,
  case when $4 then now() end)
on conflict do nothing returning id::text
"""

IDENTIFY = """
insert into auth.identities (provider_id, user_id, provider, identity_data)
select id, id, 'email', raw_user_meta_data || jsonb_build_object(
  'sub', id, 'email', email, 'email_verified', true, 'phone_verified', false)
from auth.users where id = $1::uuid
"""

SIGN_IN = """
update auth.users set last_sign_in_at = now()
where email = lower($1) and encrypted_password = extensions.crypt($2, encrypted_password)
returning id::text, banned_until > now(), email_confirmed_at is not null
"""

WITH_ADDRESS = """
select id::text, email, email_confirmed_at is not null from auth.users where email = lower($1)
"""

CHANGE_PASSWORD = """
update auth.users
set encrypted_password = extensions.crypt($2, extensions.gen_salt('bf', 6)), updated_at = now()
where id = $1::uuid and encrypted_password <> extensions.crypt($2, encrypted_password)
"""

CHANGE_METADATA = """
update auth.users
set raw_user_meta_data = jsonb_strip_nulls(raw_user_meta_data || $2::jsonb), updated_at = now()
where id = $1::uuid
"""


def create(connection, address, password, data=None, confirmed=True):
    """The new user's id, or None if the address is taken."""
    metadata = json.dumps(data if isinstance(data, dict) else {})
    created = connection.execute(CREATE, (address, password, metadata, confirmed)).fetchone()
    if created is None:
        return None
    connection.execute(IDENTIFY, created)
    return created[0]


def with_password(connection, address, password) -> str:
    """The id of the user who signs in so."""
    found = connection.execute(SIGN_IN, (address, password)).fetchone()
    if found is None:
        raise AuthError(400, "invalid_credentials", "Invalid login credentials")
    user, banned, confirmed = found
    if banned:
        raise AuthError(400, "user_banned", "User is banned")
    if not confirmed:
        raise AuthError(400, "email_not_confirmed", "Email not confirmed")
    return user


def with_address(connection, address):
    """Id, address and whether it is confirmed; None for an address that nobody has."""
    return connection.execute(WITH_ADDRESS, (address,)).fetchone()


def delete(connection, user):
    """Whether there was one."""
    deleted = connection.execute("delete from auth.users where id::text = $1", (user,))
    return deleted.rowcount == 1


def change_address(connection, user, address):
    """At once, as there is no mail here that could be answered."""
    check_address(address)
    taken = "select from auth.users where email = lower($2) and id <> $1::uuid"
    if connection.execute(taken, (user, address)).fetchone() is not None:
        message = "A user with this email address has already been registered"
        raise AuthError(422, "email_exists", message)
    change = "update auth.users set email = lower($2), updated_at = now() where id = $1::uuid"
    connection.execute(change, (user, address))


def change_password(connection, user, password):
    check_password(password)
    if connection.execute(CHANGE_PASSWORD, (user, password)).rowcount == 0:
        message = "New password should be different from the old password."
        raise AuthError(422, "same_password", message)


def change_metadata(connection, user, data):
    connection.execute(CHANGE_METADATA, (user, json.dumps(data)))


def check_address(address):
    if not ADDRESS.fullmatch(address):
        message = "Unable to validate email address: invalid format"
        raise AuthError(400, "validation_failed", message)


def check_password(password):
    if len(password) < SHORTEST_PASSWORD:
        message = f"Password should be at least {SHORTEST_PASSWORD} characters."
        raise AuthError(422, "weak_password", message, weak_password={"reasons": ["length"]})
