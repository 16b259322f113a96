"""GoTrue's half: `/auth/v1/…`, signing up, in and out with an address and a password."""

import json
import re
from urllib.parse import parse_qs

import psycopg

from .messages import Response
from .sessions import Sessions
from .tokens import BadToken, ExpiredToken, verify

JSON = "application/json"
API_VERSION = "2024-01-01"
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
SHORTEST_PASSWORD = 6


class AuthError(Exception):
    """An error as GoTrue answers it."""

    def __init__(self, status, code, message, **more):
        super().__init__(message)
        self.status, self.code, self.message, self.more = status, code, message, more

    def response(self, request):
        headers = {"Content-Type": JSON}
        if request.headers.get("x-supabase-api-version", "") >= API_VERSION:
            headers["X-Supabase-Api-Version"] = API_VERSION
            body = {"code": self.code, "message": self.message, **self.more}
        else:
            body = {"code": self.status, "error_code": self.code, "msg": self.message, **self.more}
        return Response(self.status, headers, json.dumps(body).encode())


class Auth:
    """Answers GoTrue's requests."""

    def __init__(self, pool, secret, url, lifetime, reuse_interval):
        self.pool = pool
        self.secret = secret
        self.sessions = Sessions(secret, f"{url}/auth/v1", lifetime, reuse_interval)
        self.actions = {
            ("POST", "/signup"): self.sign_up, ("POST", "/token"): self.grant,
            ("POST", "/logout"): self.sign_out, ("POST", "/recover"): self.recover,
            ("GET", "/user"): self.user, ("PUT", "/user"): self.change_user,
            ("GET", "/health"): self.health, ("GET", "/settings"): self.settings,
        }

    def answer(self, request) -> Response:
        action = self.actions.get((request.method, request.resource))
        if action is None:
            return Response(404, {"Content-Type": "text/plain; charset=utf-8"}, b"404 page not found\n")
        try:
            with self.pool.connection() as connection:
                try:
                    answered = action(request, connection)
                except AuthError as error:
                    connection.commit()  # a reused token ends its session, and is refused
                    return error.response(request)
                connection.commit()
        except psycopg.Error as error:
            return AuthError(500, "unexpected_failure", str(error)).response(request)
        if answered is None:
            return Response(204)
        return Response(200, {"Content-Type": JSON}, json.dumps(answered, ensure_ascii=False).encode())

    # What can be asked

    def sign_up(self, request, connection):
        given = fields(request)
        address, password = text(given, "email"), text(given, "password")
        if not password:
            raise AuthError(400, "validation_failed", "Signup requires a valid password")
        if not address:
            raise AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
        check_address(address)
        check_password(password)
        user = self.create_user(connection, address, password, given.get("data"))
        if user is None:
            raise AuthError(422, "user_already_exists", "User already registered")
        return self.sessions.begin(connection, user, agent(request))

    def create_user(self, connection, address, password, data=None):
        """The new user's id, or None if the address is taken."""
        created = connection.execute(
            "insert into auth.users (email, encrypted_password, raw_user_meta_data) "
            "values (lower($1), extensions.crypt($2, extensions.gen_salt('bf', 6)), $3::jsonb) "
            "on conflict do nothing returning id::text",
            (address, password, json.dumps(data if isinstance(data, dict) else {}))).fetchone()
        if created is None:
            return None
        connection.execute(
            "insert into auth.identities (provider_id, user_id, provider, identity_data) select id, id, "
            "'email', jsonb_build_object('sub', id, 'email', email, 'email_verified', true, "
            "'phone_verified', false) || raw_user_meta_data from auth.users where id = $1::uuid", created)
        return created[0]

    def grant(self, request, connection):
        kind = parse_qs(request.query).get("grant_type", [""])[0]
        if kind == "password":
            return self.sign_in(request, connection)
        if kind == "refresh_token":
            return self.refresh(request, connection)
        raise AuthError(400, "validation_failed", "unsupported_grant_type")

    def sign_in(self, request, connection):
        given = fields(request)
        address, password = text(given, "email"), text(given, "password")
        if not address:
            raise AuthError(400, "validation_failed", "missing email or phone")
        found = connection.execute(
            "select id::text, banned_until > now() from auth.users where email = lower($1) "
            "and encrypted_password = extensions.crypt($2, encrypted_password)",
            (address, password)).fetchone()
        if found is None:
            raise AuthError(400, "invalid_credentials", "Invalid login credentials")
        if found[1]:
            raise AuthError(400, "user_banned", "User is banned")
        connection.execute(
            "update auth.users set last_sign_in_at = now() where id = $1::uuid", found[:1])
        return self.sessions.begin(connection, found[0], agent(request))

    def refresh(self, request, connection):
        token = text(fields(request), "refresh_token")
        if not token:
            raise AuthError(400, "validation_failed", "Refresh token is not valid")
        refused, session = self.sessions.refresh(connection, token)
        if refused:
            raise AuthError(400, *refused)
        return session

    def sign_out(self, request, connection):
        claims = self.claims(request, connection)
        scope = parse_qs(request.query).get("scope", ["global"])[0]
        if scope not in ("global", "local", "others"):
            raise AuthError(400, "validation_failed", f'Unsupported logout scope "{scope}"')
        self.sessions.end(connection, claims, scope)

    def user(self, request, connection):
        return self.sessions.described_user(connection, self.claims(request, connection)["sub"])

    def change_user(self, request, connection):
        user = self.claims(request, connection)["sub"]
        given = fields(request)
        if address := text(given, "email"):
            self.change_address(connection, user, address)
        if password := text(given, "password"):
            self.change_password(connection, user, password)
        if isinstance(given.get("data"), dict):
            connection.execute(
                "update auth.users set raw_user_meta_data = jsonb_strip_nulls(raw_user_meta_data || "
                "$2::jsonb), updated_at = now() where id = $1::uuid", (user, json.dumps(given["data"])))
        return self.sessions.described_user(connection, user)

    def change_address(self, connection, user, address):
        """At once, as there is no mail here that could be answered."""
        check_address(address)
        taken = connection.execute(
            "select from auth.users where email = lower($2) and id <> $1::uuid", (user, address)).fetchone()
        if taken is not None:
            raise AuthError(422, "email_exists",
                            "A user with this email address has already been registered")
        connection.execute(
            "update auth.users set email = lower($2), updated_at = now() where id = $1::uuid", (user, address))

    def change_password(self, connection, user, password):
        check_password(password)
        same = connection.execute(
            "select from auth.users where id = $1::uuid "
            "and encrypted_password = extensions.crypt($2, encrypted_password)", (user, password)).fetchone()
        if same is not None:
            raise AuthError(422, "same_password",
                            "New password should be different from the old password.")
        connection.execute(
            "update auth.users set encrypted_password = extensions.crypt($2, extensions.gen_salt('bf', 6)), "
            "updated_at = now() where id = $1::uuid", (user, password))

    def recover(self, request, connection):
        return {}

    def health(self, request, connection):
        return {"version": "v2.170.0", "name": "GoTrue",
                "description": "GoTrue is a user registration and authentication API"}

    def settings(self, request, connection):
        return {"external": {"email": True, "phone": False, "anonymous_users": False},
                "disable_signup": False, "mailer_autoconfirm": True, "phone_autoconfirm": False,
                "sms_provider": "", "saml_enabled": False}

    def claims(self, request, connection) -> dict:
        """The signed-in user's claims, if the user and the session are still there."""
        if not request.bearer:
            raise AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")
        try:
            if request.treat_as_expired:
                raise ExpiredToken
            claims = verify(request.bearer, self.secret)
        except ExpiredToken:
            raise AuthError(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, "
                            "token has invalid claims: token is expired") from None
        except BadToken as error:
            raise AuthError(403, "bad_jwt",
                            f"invalid JWT: unable to parse or verify signature, {error}") from None
        if not claims.get("sub"):
            raise AuthError(403, "bad_jwt", "invalid claim: missing sub claim")
        user_there, session_there = self.sessions.known(connection, claims)
        if not user_there:
            raise AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
        if not session_there:
            raise AuthError(403, "session_not_found",
                            "Session from session_id claim in JWT does not exist")
        return claims


def fields(request) -> dict:
    try:
        given = json.loads(request.body or b"{}")
    except ValueError as error:
        raise AuthError(400, "bad_json", f"Could not parse request body as JSON: {error}") from None
    if not isinstance(given, dict):
        raise AuthError(400, "bad_json", "Could not parse request body as JSON: not an object")
    return given


def text(given, name) -> str:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise AuthError(400, "bad_json", f"Could not parse request body as JSON: {name} is not a string")
    return (value or "").replace("\0", "")


def check_address(address):
    if not ADDRESS.fullmatch(address):
        raise AuthError(400, "validation_failed", "Unable to validate email address: invalid format")


def check_password(password):
    if len(password) < SHORTEST_PASSWORD:
        raise AuthError(
            422, "weak_password", f"Password should be at least {SHORTEST_PASSWORD} characters.",
            weak_password={"reasons": ["length"]})


def agent(request):
    return request.headers.get("user-agent", "")
