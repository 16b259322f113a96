"""GoTrue's half: `/auth/v1/…`, signing up, in and out with an address and a password."""

import json
import uuid
from urllib.parse import parse_qs, urlencode

import psycopg

from . import codes, users
from .auth_errors import JSON, AuthError
from .messages import Response
from .tokens import BadToken, ExpiredToken, verify


class Auth:
    """Answers GoTrue's requests."""

    def __init__(self, pool, sessions, mails, confirms=False):
        """Whoever signs up has to confirm their address if it `confirms`."""
        self.pool = pool
        self.sessions = sessions
        self.mails = mails
        self.confirms = confirms
        self.actions = {
            ("POST", "/signup"): self.sign_up,
            ("POST", "/token"): self.grant,
            ("POST", "/logout"): self.sign_out,
            ("POST", "/recover"): self.recover,
            ("POST", "/resend"): self.resend,
            ("POST", "/verify"): self.verify,
            ("GET", "/verify"): self.follow_link,
            ("GET", "/user"): self.user,
            ("PUT", "/user"): self.change_user,
            ("GET", "/health"): self.health,
            ("GET", "/settings"): self.settings,
        }

    def answer(self, request) -> Response:
        action = self.actions.get((request.method, request.resource))
        if request.method == "DELETE" and request.resource.startswith("/admin/users/"):
            action = self.delete_user
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
        if isinstance(answered, Response):
            return answered
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
        confirmed = not self.confirms
        user = users.create(connection, address, password, given.get("data"), confirmed)
        if self.confirms:
            return self.pending(connection, user, address)
        if user is None:
            raise AuthError(422, "user_already_exists", "User already registered")
        return self.sessions.begin(connection, user, agent(request))

    def pending(self, connection, user, address):
        """A user whose address is to be confirmed. That one has an account is told to nobody else."""
        if user is None:
            user, address, confirmed = users.with_address(connection, address)
            if confirmed:
                return self.sessions.described_user(connection, user) | {
                    "id": str(uuid.uuid4()),
                    "role": "",
                    "identities": [],
                    "user_metadata": {},
                    "last_sign_in_at": None,
                }
        self.send(connection, "signup", user, address)
        return self.sessions.described_user(connection, user)

    def send(self, connection, kind, user, address):
        code, token_hash = codes.new(connection, kind, user, address)
        link = urlencode({"token": token_hash, "type": kind})
        self.mails.send(kind, address, code, f"{self.sessions.issuer}/verify?{link}")

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
        claims = self.claims(request, connection)
        user, given = claims["sub"], fields(request)
        if address := text(given, "email"):
            users.change_address(connection, user, address)
        if password := text(given, "password"):
            users.change_password(connection, user, password)
            self.sessions.end(connection, claims, "others")
        if isinstance(given.get("data"), dict):
            users.change_metadata(connection, user, given["data"])
        return self.sessions.described_user(connection, user)

    def recover(self, request, connection):
        address = text(fields(request), "email")
        if not address:
            raise AuthError(400, "validation_failed", "Password recovery requires an email")
        users.check_address(address)
        # Whether anybody has the address is told to nobody.
        if found := users.with_address(connection, address):
            self.send(connection, "recovery", *found[:2])
        return {}

    def resend(self, request, connection):
        given = fields(request)
        if text(given, "type") != "signup":
            message = "Missing one of these types: signup, email_change, sms, phone_change"
            raise AuthError(400, "validation_failed", message)
        found = users.with_address(connection, text(given, "email"))
        if found and not found[2]:
            self.send(connection, "signup", *found[:2])
        return {}

    def verify(self, request, connection):
        given = fields(request)
        token_hash = text(given, "token_hash")
        if not token_hash:
            if not text(given, "email") or not text(given, "token"):
                message = "Only an email address or phone number should be provided on verify"
                raise AuthError(400, "validation_failed", message)
            token_hash = codes.hashed(text(given, "email"), text(given, "token"))
        user = codes.spend(connection, text(given, "type"), token_hash)
        return self.sessions.begin(connection, user, agent(request))

    def follow_link(self, request, connection):
        """What the link in a mail does: it goes on to the app, with the session or the mistake."""
        given = {name: values[0] for name, values in parse_qs(request.query).items()}
        kind = given.get("type", "")
        try:
            user = codes.spend(connection, kind, given.get("token", ""))
            session = self.sessions.begin(connection, user, agent(request))
            told = {name: value for name, value in session.items() if name != "user"}
            told["type"] = kind
        except AuthError:
            told = {
                "error": "access_denied",
                "error_code": "otp_expired",
                "error_description": "Email link is invalid or has expired",
            }
        place = given.get("redirect_to", "http://localhost:3000")
        return Response(303, {"Location": f"{place}#{urlencode(told)}"})

    def delete_user(self, request, connection):
        """For the service key alone."""
        try:
            role = verify(request.bearer or "", self.sessions.secret).get("role")
        except (BadToken, ExpiredToken):
            role = None
        if role != "service_role":
            raise AuthError(403, "not_admin", "User not allowed")
        if not users.delete(connection, request.resource.removeprefix("/admin/users/")):
            raise AuthError(404, "user_not_found", "User not found")
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
            "mailer_autoconfirm": not self.confirms,
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
