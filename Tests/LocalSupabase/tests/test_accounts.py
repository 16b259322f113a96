"""Accounts: addresses to confirm, forgotten passwords, and what becomes of an account that goes."""

import atexit
import unittest
import uuid
from functools import cache
from urllib.parse import parse_qs, urlsplit

import psycopg
from supabase_auth.errors import AuthApiError

from .support import Supabase, shared

PASSWORD = "secret words"


@cache
def confirming() -> Supabase:
    server = Supabase("--confirm-email")
    atexit.register(server.stop)
    return server


class AccountsCase(unittest.TestCase):
    server = staticmethod(shared)

    def setUp(self):
        self.supabase = self.server()
        self.address = f"{uuid.uuid4()}@example.org"
        self.client = self.supabase.client()
        self.http = self.supabase.http()
        self.addCleanup(self.http.close)

    def sign_up(self):
        return self.client.auth.sign_up({"email": self.address, "password": PASSWORD})

    def sign_in(self, password=PASSWORD):
        return self.supabase.client().auth.sign_in_with_password(
            {"email": self.address, "password": password}
        )

    def mails(self):
        sent = self.http.get("/_local/mails").json()
        return [mail for mail in sent if mail["to"] == self.address]

    def refused(self, action, status, code):
        with self.assertRaises(AuthApiError) as raised:
            action()
        self.assertEqual((raised.exception.status, raised.exception.code), (status, code))

    def verify(self, kind, code, address=None):
        asked = {"email": address or self.address, "token": code, "type": kind}
        return self.client.auth.verify_otp(asked)


class Confirming(AccountsCase):
    server = staticmethod(confirming)

    def test_who_has_not_confirmed_their_address_is_not_signed_in(self):
        answer = self.sign_up()
        self.assertIsNone(answer.session)
        self.assertEqual((answer.user.email, answer.user.email_confirmed_at), (self.address, None))
        self.assertTrue(answer.user.confirmation_sent_at)
        self.refused(self.sign_in, 400, "email_not_confirmed")
        self.refused(lambda: self.sign_in("wrong words"), 400, "invalid_credentials")
        self.assertFalse(self.http.get("/auth/v1/settings").json()["mailer_autoconfirm"])

    def test_the_code_in_the_mail_confirms_it_once(self):
        self.sign_up()
        (mail,) = self.mails()
        self.refused(lambda: self.verify("signup", "000000x"), 403, "otp_expired")
        self.refused(lambda: self.verify("recovery", mail["code"]), 403, "otp_expired")
        session = self.verify("signup", mail["code"]).session
        self.assertEqual(session.user.email, self.address)
        self.assertTrue(session.user.email_confirmed_at)
        self.assertTrue(self.sign_in().session)
        self.refused(lambda: self.verify("signup", mail["code"]), 403, "otp_expired")

    def test_so_does_the_link_which_goes_on_to_the_app(self):
        self.sign_up()
        link = self.mails()[0]["link"]
        for is_good in (True, False):
            answer = self.http.get(link + "&redirect_to=http://app.test/in", headers={"apikey": ""})
            place = urlsplit(answer.headers["Location"])
            told = parse_qs(place.fragment)
            self.assertEqual((answer.status_code, place.netloc), (303, "app.test"))
            self.assertEqual("access_token" in told, is_good)
            self.assertEqual(told.get("error_code"), None if is_good else ["otp_expired"])
        self.assertTrue(self.sign_in().session)

    def test_a_mail_is_sent_again_and_the_earlier_code_is_none_any_more(self):
        self.sign_up()
        self.client.auth.resend({"type": "signup", "email": self.address})
        self.assertEqual(self.sign_up().user.email, self.address)
        first, second, third = self.mails()
        for old in (first, second):
            if old["code"] != third["code"]:
                self.refused(lambda code=old["code"]: self.verify("signup", code), 403, "otp_expired")
        self.assertTrue(self.verify("signup", third["code"]).session)
        self.client.auth.resend({"type": "signup", "email": self.address})
        self.client.auth.resend({"type": "signup", "email": "none@example.org"})
        self.assertEqual(len(self.mails()), 3)

    def test_signing_up_with_an_address_that_somebody_has_tells_nothing_of_them(self):
        mine = self.sign_up().user
        self.verify("signup", self.mails()[0]["code"])
        answer = self.sign_up()
        self.assertIsNone(answer.session)
        self.assertEqual((answer.user.identities, answer.user.user_metadata), ([], {}))
        self.assertNotEqual(answer.user.id, mine.id)
        self.assertEqual(len(self.mails()), 1)


class Passwords(AccountsCase):
    def test_a_forgotten_password_is_replaced_by_way_of_a_mail(self):
        elsewhere = self.sign_up().session
        self.supabase.client().auth.reset_password_for_email(self.address)
        (mail,) = self.mails()
        self.assertTrue(self.verify("recovery", mail["code"]).session)
        self.client.auth.update_user({"password": "other words"})
        self.refused(self.sign_in, 400, "invalid_credentials")
        self.assertTrue(self.sign_in("other words").session)
        self.refused(
            lambda: self.supabase.client().auth.refresh_session(elsewhere.refresh_token),
            400,
            "refresh_token_not_found",
        )
        self.refused(lambda: self.verify("recovery", mail["code"]), 403, "otp_expired")

    def test_it_confirms_an_address_as_well(self):
        self.supabase = confirming()
        self.client, self.http = self.supabase.client(), self.supabase.http()
        self.addCleanup(self.http.close)
        self.sign_up()
        self.client.auth.reset_password_for_email(self.address)
        self.assertTrue(self.verify("email", self.mails()[-1]["code"]).session)
        self.assertTrue(self.sign_in().session)

    def test_a_code_ends_after_an_hour(self):
        self.sign_up()
        self.client.auth.reset_password_for_email(self.address)
        with psycopg.connect(self.supabase.database) as owner:
            owner.execute(
                "update auth.users set recovery_sent_at = now() - interval '61 min' where email = %s",
                [self.address],
            )
        code = self.mails()[0]["code"]
        self.refused(lambda: self.verify("recovery", code), 403, "otp_expired")

    def test_nobody_learns_who_has_an_account(self):
        self.client.auth.reset_password_for_email(self.address)
        self.assertEqual(self.mails(), [])
        self.refused(lambda: self.client.auth.reset_password_for_email("x"), 400, "validation_failed")

    def test_who_changes_the_password_stays_signed_in_and_others_do_not(self):
        self.sign_up()
        other = self.sign_in().session
        self.client.auth.update_user({"password": "other words"})
        self.assertTrue(self.client.auth.refresh_session().session)
        self.refused(
            lambda: self.supabase.client().auth.refresh_session(other.refresh_token),
            400,
            "refresh_token_not_found",
        )
        self.refused(
            lambda: self.client.auth.update_user({"password": "other words"}), 422, "same_password"
        )


class Removing(AccountsCase):
    def test_the_service_key_deletes_an_account_and_nobody_else_does(self):
        session = self.sign_up().session
        path = f"/auth/v1/admin/users/{session.user.id}"
        for token in (session.access_token, None):
            answer = self.supabase.http(token=token).delete(path)
            self.assertEqual((answer.status_code, answer.json()["error_code"]), (403, "not_admin"))
        self.supabase.service().auth.admin.delete_user(session.user.id)
        self.refused(self.sign_in, 400, "invalid_credentials")
        self.refused(self.client.auth.refresh_session, 400, "refresh_token_not_found")
        answer = self.supabase.http(token=session.access_token).get("/auth/v1/user")
        self.assertEqual((answer.status_code, answer.json()["error_code"]), (403, "user_not_found"))
        again = self.supabase.http(self.supabase.service_key).delete(path)
        self.assertEqual((again.status_code, again.json()["error_code"]), (404, "user_not_found"))
