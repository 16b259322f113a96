"""GoTrue's half: `/auth/v1/…`, signing up, in and out with an address and a password."""

import json
from urllib.parse import parse_qs

import psycopg

from . import users
from .auth_errors import JSON, AuthError
from .messages import Response
from .tokens import BadToken, ExpiredToken, verify


class Auth:
    """Answers GoTrue's requests."""

    def __init__(self, pool, sessions):
        self.pool = pool
        self.sessions = sessions
        self.actions = {
            ("POST", "/signup"): self.sign_up,
            ("POST", "/token"): self.grant,
            ("POST", "/logout"): self.sign_out,
            ("POST", "/recover"): self.recover,
            ("GET", "/user"): self.user,
            ("PUT", "/user"): self.change_user,
            ("GET", "/health"): self.health,
            ("GET", "/settings"): self.settings,
        }

    def answer(self, request) -> Response:
        action = self.actions.get((request.method, request.resource))
        if action is None:
            return Response(
                404, {"Content-Type": "text/plain; charset=utf-8"}, b"404 page not found\n"
            )
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
        return Response(
            200, {"Content-Type": JSON}, json.dumps(answered, ensure_ascii=False).encode()
        )

    # What can be asked

    def sign_up(self, request, connection):
        given = fields(request)
        address, password = text(given, "email"), text(given, "password")
        if not password:
            raise AuthError(400, "validation_failed", "Signup requires a valid password")
        if not address:
            raise AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
        users.check_address(address)
        users.check_password(password)
        user = users.create(connection, address, password, given.get("data"))
        if user is None:
            raise AuthError(422, "user_already_exists", "User already registered")
        return self.sessions.begin(connection, user, agent(request))

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
        user = users.with_password(connection, address, password)
        return self.sessions.begin(connection, user, agent(request))

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
            users.change_address(connection, user, address)
        if password := text(given, "password"):
            users.change_password(connection, user, password)
        if isinstance(given.get("data"), dict):
            users.change_metadata(connection, user, given["data"])
        return self.sessions.described_user(connection, user)

    def recover(self, request, connection):
        return {}

    def health(self, request, connection):
        return {
            "version": "v2.170.0",
            "name": "GoTrue",
            "description": "GoTrue is a user registration and authentication API",
        }

    def settings(self, request, connection):
        return {
            "external": {"email": True, "phone": False, "anonymous_users": False},
            "disable_signup": False,
            "mailer_autoconfirm": True,
            "phone_autoconfirm": False,
            "sms_provider": "",
            "saml_enabled": False,
        }

    def claims(self, request, connection) -> dict:
        """The signed-in user's claims, if the user and the session are still there."""
        if not request.bearer:
            raise AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")
        try:
            if request.treat_as_expired:
                raise ExpiredToken
            claims = verify(request.bearer, self.sessions.secret)
        except ExpiredToken:
            raise AuthError(
                403,
                "bad_jwt",
                "invalid JWT: unable to parse or verify signature, "
                "token has invalid claims: token is expired",
            ) from None
        except BadToken as error:
            raise AuthError(
                403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {error}"
            ) from None
        if not claims.get("sub"):
            raise AuthError(403, "bad_jwt", "invalid claim: missing sub claim")
        user_there, session_there = self.sessions.known(connection, claims)
        if not user_there:
            raise AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
        if not session_there:
            raise AuthError(
                403, "session_not_found", "Session from session_id claim in JWT does not exist"
            )
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
        raise AuthError(
            400, "bad_json", f"Could not parse request body as JSON: {name} is not a string"
        )
    return (value or "").replace("\0", "")


def agent(request):
    return request.headers.get("user-agent", "")
