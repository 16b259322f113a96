"""Signing up, in and out, and refresh tokens that rotate."""

import time
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from .support import shared, strict


class Signing(unittest.TestCase):
    def setUp(self):
        self.supabase = shared()
        self.address = f"{uuid.uuid4()}@example.org"
        self.http = self.supabase.http()
        self.addCleanup(self.http.close)

    def sign_up(self):
        client = self.supabase.client()
        client.auth.sign_up(
            {
                "email": self.address,
                "password": "secret words",
                "options": {"data": {"name": "Ada"}},
            }
        )
        return client

    def refused(self, action, status, code):
        with self.assertRaises(AuthApiError) as raised:
            action()
        self.assertEqual((raised.exception.status, raised.exception.code), (status, code))

    def refresh(self, token):
        return self.http.post(
            "/auth/v1/token?grant_type=refresh_token", json={"refresh_token": token}
        )

    def assert_refused(self, response, code):
        self.assertEqual(
            (response.status_code, response.json().get("error_code")), (400, code), response.text
        )

    def test_who_signs_up_is_signed_in(self):
        client = self.sign_up()
        session = client.auth.get_session()
        self.assertEqual(
            (session.user.email, session.user.user_metadata), (self.address, {"name": "Ada"})
        )
        self.assertEqual(client.rpc("who_am_i", {}).execute().data["uid"], session.user.id)
        self.assertEqual(session.user.identities[0].provider, "email")

    def test_an_address_signs_up_once(self):
        self.sign_up()
        self.refused(self.sign_up, 422, "user_already_exists")
        self.address = self.address.upper()
        self.refused(self.sign_up, 422, "user_already_exists")

    def test_a_weak_password_and_a_bad_address_are_refused(self):
        client = self.supabase.client()
        with self.assertRaises(AuthWeakPasswordError) as raised:
            client.auth.sign_up({"email": self.address, "password": "short"})
        self.assertEqual(raised.exception.reasons, ["length"])
        self.refused(
            lambda: client.auth.sign_up({"email": "nobody", "password": "secret words"}),
            400,
            "validation_failed",
        )

    def test_a_wrong_password_and_an_unknown_address_look_alike(self):
        self.sign_up()
        client = self.supabase.client()
        for address, password in ((self.address, "wrong"), ("none@example.org", "secret words")):
            credentials = {"email": address, "password": password}
            self.refused(
                lambda given=credentials: client.auth.sign_in_with_password(given),
                400,
                "invalid_credentials",
            )

    def test_errors_have_the_shape_that_the_api_version_asks_for(self):
        body = {"email": self.address, "password": "wrong"}
        old = self.http.post("/auth/v1/token?grant_type=password", json=body)
        self.assertEqual(
            old.json(),
            {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"},
        )
        new = self.http.post(
            "/auth/v1/token?grant_type=password",
            json=body,
            headers={"X-Supabase-Api-Version": "2024-01-01"},
        )
        self.assertEqual(
            new.json(), {"code": "invalid_credentials", "message": "Invalid login credentials"}
        )
        self.assertEqual(new.headers["X-Supabase-Api-Version"], "2024-01-01")

    def test_a_session_says_when_it_ends_and_who_it_is(self):
        session = self.sign_up().auth.get_session()
        self.assertEqual((session.expires_in, session.token_type), (3600, "bearer"))
        self.assertAlmostEqual(session.expires_at, time.time() + 3600, delta=5)
        claims = self.supabase.client().auth.get_claims(session.access_token)["claims"]
        self.assertEqual(
            (claims["sub"], claims["role"], claims["aud"], claims["aal"], claims["is_anonymous"]),
            (session.user.id, "authenticated", "authenticated", "aal1", False),
        )
        self.assertTrue(claims["session_id"])

    def test_a_refresh_token_rotates(self):
        client = self.sign_up()
        before = client.auth.get_session()
        after = client.auth.refresh_session().session
        self.assertNotEqual(before.refresh_token, after.refresh_token)
        self.assertEqual(after.user.id, before.user.id)
        self.assertEqual(client.auth.get_user().user.id, before.user.id)

    def test_a_used_token_gives_the_current_one_for_a_while(self):
        first = self.sign_up().auth.get_session().refresh_token
        second = self.refresh(first).json()["refresh_token"]
        self.assertEqual(self.refresh(first).json()["refresh_token"], second)
        third = self.refresh(second).json()["refresh_token"]
        self.assertEqual(self.refresh(first).json()["refresh_token"], third)

    def test_a_token_used_many_times_at_once_is_rotated_once(self):
        session = self.sign_up().auth.get_session()
        with ThreadPoolExecutor(8) as threads, psycopg.connect(self.supabase.database) as held:
            held.execute("select from auth.sessions for update")
            waiting = [threads.submit(self.refresh, session.refresh_token) for _ in range(8)]
            time.sleep(0.3)  # until all of them wait for the session, having read the token
            held.rollback()
            answers = [answer.result() for answer in waiting]
        self.assertEqual({answer.status_code for answer in answers}, {200})
        self.assertEqual(len({answer.json()["refresh_token"] for answer in answers}), 1)

    def eleven_seconds_pass(self, token):
        with psycopg.connect(self.supabase.database, autocommit=True) as database:
            database.execute(
                "update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' "
                "where token = %s",
                [token],
            )

    def test_a_token_used_again_later_ends_the_session(self):
        first = self.sign_up().auth.get_session().refresh_token
        second = self.refresh(first).json()["refresh_token"]
        self.eleven_seconds_pass(first)
        self.assert_refused(self.refresh(first), "refresh_token_already_used")
        self.assert_refused(self.refresh(second), "refresh_token_already_used")

    def test_another_session_of_the_user_survives_that(self):
        first = self.sign_up().auth.get_session().refresh_token
        other = self.supabase.client()
        other.auth.sign_in_with_password({"email": self.address, "password": "secret words"})
        self.refresh(first)
        self.eleven_seconds_pass(first)
        self.assert_refused(self.refresh(first), "refresh_token_already_used")
        self.assertTrue(other.auth.refresh_session().session)

    def test_tokens_that_are_none_are_refused(self):
        self.assert_refused(self.refresh("nonsense"), "refresh_token_not_found")
        self.assert_refused(self.refresh(""), "validation_failed")
        self.assert_refused(
            self.http.post("/auth/v1/token?grant_type=magic", json={}), "validation_failed"
        )
        self.assert_refused(
            self.http.post("/auth/v1/token?grant_type=password", content=b"{"), "bad_json"
        )
        self.assert_refused(
            self.http.post("/auth/v1/token?grant_type=password", json={"email": 1}), "bad_json"
        )

    def test_who_signed_out_is_refused(self):
        client = self.sign_up()
        session = client.auth.get_session()
        client.auth.sign_out()
        self.assert_refused(self.refresh(session.refresh_token), "refresh_token_not_found")
        with self.supabase.http(token=session.access_token) as http:
            response = http.get("/auth/v1/user")
            self.assertEqual(
                (response.status_code, response.json()["error_code"]), (403, "session_not_found")
            )

    def test_signing_out_ends_one_session_all_or_the_others(self):
        self.sign_up()
        credentials = {"email": self.address, "password": "secret words"}
        for scope, survive in (
            ("local", [False, True]),
            ("global", [False, False]),
            ("others", [True, False]),
        ):
            clients = [self.supabase.client(), self.supabase.client()]
            sessions = [
                client.auth.sign_in_with_password(credentials).session for client in clients
            ]
            clients[0].auth.sign_out({"scope": scope})
            alive = [self.refresh(session.refresh_token).status_code == 200 for session in sessions]
            self.assertEqual(alive, survive, scope)

    def test_a_user_changes_what_is_theirs(self):
        client = self.sign_up()
        client.auth.update_user({"data": {"name": None, "colour": "green"}})
        self.assertEqual(client.auth.get_user().user.user_metadata, {"colour": "green"})
        client.auth.update_user({"password": "other words"})
        self.refused(
            lambda: client.auth.update_user({"password": "other words"}), 422, "same_password"
        )
        self.refused(
            lambda: client.auth.update_user({"email": "mira@example.org"}), 422, "email_exists"
        )
        again = self.supabase.client()
        again.auth.sign_in_with_password({"email": self.address, "password": "other words"})

    def test_a_user_is_known_by_a_token_only(self):
        response = self.http.get("/auth/v1/user")
        self.assertEqual((response.status_code, response.json()["error_code"]), (403, "bad_jwt"))
        with self.supabase.http(token="nonsense") as http:
            self.assertEqual(http.get("/auth/v1/user").json()["error_code"], "bad_jwt")
        del self.http.headers["Authorization"]
        response = self.http.get("/auth/v1/user")
        self.assertEqual(
            (response.status_code, response.json()["error_code"]), (401, "no_authorization")
        )

    def test_the_rest_of_the_service_answers(self):
        self.assertEqual(self.http.get("/auth/v1/health").json()["name"], "GoTrue")
        self.assertTrue(self.http.get("/auth/v1/settings").json()["mailer_autoconfirm"])
        self.supabase.client().auth.reset_password_for_email(self.address)
        self.assertEqual(self.http.get("/auth/v1/none").status_code, 404)

    def test_passwords_are_not_kept_as_they_are(self):
        self.sign_up()
        with psycopg.connect(self.supabase.database) as database:
            (kept,) = database.execute(
                "select encrypted_password from auth.users where email = %s", [self.address]
            ).fetchone()
        self.assertRegex(kept, r"^\$2a\$")


class Strict(unittest.TestCase):
    def test_a_server_may_tolerate_no_token_that_was_used(self):
        token = strict().signed_in("mira").auth._load_session().refresh_token
        with strict().http() as http:
            statuses = [
                http.post(
                    "/auth/v1/token?grant_type=refresh_token", json={"refresh_token": token}
                ).status_code
                for _ in range(2)
            ]
        self.assertEqual(statuses, [200, 400])

    def test_an_access_token_expires_and_is_renewed(self):
        server = strict()
        client = server.signed_in("mira")
        session = client.auth._load_session()
        time.sleep(session.expires_at - time.time() + 0.05)
        with server.http(token=session.access_token) as http:
            response = http.get("/rest/v1/items")
            self.assertEqual(
                (response.status_code, response.json()["code"], response.json()["message"]),
                (401, "PGRST303", "JWT expired"),
            )
            self.assertEqual(http.get("/auth/v1/user").json()["error_code"], "bad_jwt")
        renewed = client.auth.get_session()
        self.assertNotEqual(renewed.access_token, session.access_token)
        with server.http(token=renewed.access_token) as http:
            self.assertEqual(http.get("/rest/v1/items").status_code, 200)
