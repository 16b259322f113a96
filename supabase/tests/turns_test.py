"""Checks who waits for whom, and that what depends on membership is decided while nobody can change it."""

import json
import threading
import unittest
import uuid

import psycopg

from sessions_test import LARDER, Session, connect, household_of, person, together, until, waits

ROWS = {"stock_items": ("name", "'Milk'"), "inventory_items": ("product_ref", "'{\"productId\": \"p\"}'"),
        "storage_locations": ("name", "'Fridge'"), "products": ("title", "'Tea'"),
        "shopping_list_entries": ("name", "'Bread'"), "receipts": ("shop_name", "'Corner'")}


def answer(session, statement, *values):
    """Returns what somebody is told: the answer, or the error's code, message, detail and hint."""
    try:
        return session.request(statement, *values)
    except psycopg.Error as error:
        said = error.diag
        return said.sqlstate, said.message_primary, said.message_detail, said.message_hint


class Removed(unittest.TestCase):
    def invitations(self, household):
        with connect() as owner:
            return owner.execute("select count(*) from household_invites where household_id = %s and accepted_at is null",
                                 [household]).fetchone()[0]

    def test_who_is_removed_while_they_invite_leaves_no_invitation(self):
        for turn in range(25):
            mira, jonas = person(), person()
            household = household_of(mira, jonas)
            with Session(mira) as host, Session(jonas) as guest:
                errors = together(lambda: host.request("select remove_member(%s, %s)", household, jonas),
                                  lambda: guest.request("select create_invite(%s)", household))
            self.assertIn([error.sqlstate for error in errors], ([], ["42501"]))
            self.assertEqual(self.invitations(household), 0)

    def test_what_was_asked_before_a_removal_and_waited_for_it_is_refused(self):
        mira, jonas, vera = person(), person(), person()
        household, item, receipt = household_of(mira, jonas, vera), uuid.uuid4(), uuid.uuid4()
        with Session(mira) as host, Session(jonas) as guest:
            host.request("insert into stock_items (household_id, id, name) values (%s, %s, 'Tea')", household, item)
            host.request("insert into receipts (household_id, id, shop_name) values (%s, %s, 'Shop')", household, receipt)
            invite = object()
            statements = [
                ("select create_invite(%s)", [household]), ("select revoke_invite(%s)", [invite]),
                ("select remove_member(%s, %s)", [household, vera]), ("select leave(%s)", [household]), ("select leave(%s, true)", [household]),
                ("update stock_items set name = 'Mate' where household_id = %s", [household]),
                ("delete from stock_items where household_id = %s", [household]),
                ("update households set name = 'Mine' where id = %s", [household]),
                ("insert into households (id, name) values (%s, 'Mine') on conflict (household_id, id) do update set name = excluded.name", [household]),
                ("insert into quantity_changes (household_id, entity_type, entity_id, delta) values (%s, 'StockItem', %s, 9)", [household, item]),
                ("insert into receipt_items (household_id, receipt_id, item_name, quantity) values (%s, %s, 'Tea', 1)", [household, receipt]),
            ] + [(f"insert into {table} (household_id, {column}) values (%s, {value})", [household]) for table, (column, value) in ROWS.items()]
            for statement, values in statements:
                host.request("select create_invite(%s)", household)
                opened = host.request("select id from invites(%s) where state = 'open'", household)[0][0]
                values = [opened if value is invite else value for value in values]
                with connect() as owner:
                    owner.execute("insert into household_members (household_id, user_id, joined_at) values (%s, %s, now()) on conflict do nothing", (household, jonas))
                    before = owner.execute("select (select sum(version) from stock_items where household_id = %(h)s), (select count(*) from household_members where household_id = %(h)s),"
                                           " (select count(*) from household_invites where household_id = %(h)s and accepted_at is not null), (select name from households where id = %(h)s)", {"h": household}).fetchone()
                answers = []
                with host.connection.transaction():
                    host.within("select remove_member(%s, %s)", household, jonas)
                    late = threading.Thread(target=lambda: answers.append(answer(guest, statement, *values)))
                    late.start()
                    until(lambda: waits(guest))
                late.join()
                with self.subTest(statement), connect() as owner:
                    self.assertTrue(answers[0] == 0 or answers[0][0] in ("42501", "LA034"), answers)
                    after = owner.execute("select (select sum(version) from stock_items where household_id = %(h)s), (select count(*) + 1 from household_members where household_id = %(h)s),"
                                          " (select count(*) from household_invites where household_id = %(h)s), (select name from households where id = %(h)s)", {"h": household}).fetchone()
                    self.assertEqual(after, before)

    def test_nobody_comes_by_the_invitation_of_somebody_who_is_being_removed(self):
        for turn in range(6):
            mira, jonas, vera = person(), person(), person()
            household = household_of(mira, jonas)
            with Session(mira) as host, Session(jonas) as maker, Session(vera) as guest:
                code = maker.request("select create_invite(%s) ->> 'code'", household)[0][0]
                errors = together(lambda: host.request("select remove_member(%s, %s)", household, jonas),
                                  lambda: guest.request("select accept_invite(%s)", code))
                self.assertIn([error.sqlstate for error in errors], ([], ["P0001"]))
            self.assertEqual(self.invitations(household), 0)

    def test_an_account_that_is_deleted_while_it_is_used_deadlocks_with_nobody(self):
        for turn in range(6):
            mira, jonas = person(), person()
            household = household_of(mira, jonas)
            with Session(mira) as host, Session(jonas) as guest, connect() as owner:
                code = host.request("select create_invite(%s) ->> 'code'", household_of(mira))[0][0]
                errors = together(lambda: owner.execute("delete from auth.users where id = %s", [jonas]),
                                  lambda: guest.request("select create_invite(%s)", household) if turn % 2 else guest.request("select accept_invite(%s)", code),
                                  lambda: host.request("select remove_member(%s, %s)", household, jonas))
            self.assertNotIn("40P01", [error.sqlstate for error in errors])
            self.assertEqual(self.invitations(household), 0)

    def test_a_household_has_a_hundred_open_invitations_and_no_more(self):
        mira = person()
        household = household_of(mira)
        with Session(mira) as session:
            session.request("select create_invite(%s) from generate_series(1, 100)", household)
            self.assertEqual(answer(session, "select create_invite(%s)", household)[0], "LA036")
            session.request("select revoke_invite((select id from invites(%s) where state = 'open' limit 1))", household)
            session.request("select create_invite(%s)", household)


class Strangers(unittest.TestCase):
    def test_who_does_not_belong_to_a_household_waits_for_nothing_and_learns_nothing(self):
        mira, vera = person(), person()
        ours, unknown, item, receipt = household_of(mira), uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
        household_of(vera)
        with Session(mira) as member:
            for table, (column, value) in ROWS.items():
                member.request(f"insert into {table} (household_id, id, {column}) values (%s, %s, {value})", ours, str(receipt if table == "receipts" else item))
            change = member.request("insert into quantity_changes (household_id, entity_type, entity_id, delta) values (%s, 'StockItem', %s, 1) returning id", ours, item)[0][0]
            line = member.request("insert into receipt_items (household_id, receipt_id, item_name, quantity) values (%s, %s, 'Tea', 1) returning id", ours, receipt)[0][0]
            code = member.request("select create_invite(%s) ->> 'code'", ours)[0][0]
            invite = member.request("select id from invites(%s)", ours)[0][0]
            with Session(person()) as guest:
                guest.request("select accept_invite(%s)", code)
        deep = "{\"deep\": " + "[" * 100 + "]" * 100 + "}"
        for headers in ({}, LARDER):
            with Session(mira) as member, Session(vera, headers) as stranger, member.connection.transaction():
                member.within("update stock_items set name = 'Busy' where household_id = %s", ours)
                stranger.connection.execute("set lock_timeout to '2s'")
                for table, (column, value) in ROWS.items():
                    told = {answer(stranger, f"insert into {table} (household_id, id, {column}, {also}) values (%s, %s, {value}, %s){ending}", household, str(one), extra)
                            for household in (ours, unknown) for one in (receipt if table == "receipts" else item, uuid.uuid4())
                            for also, extra in (("path", "x" * 2000), ("extra", "{\"id\": 1}"), ("extra", deep))
                            for ending in ("", f" on conflict (household_id, id) do update set {column} = excluded.{column}", " on conflict do nothing")}
                    told.add(answer(stranger, f"insert into {table} (household_id, {column}, path) values (%s, {value}, repeat('x', 20000000))", ours))
                    with self.subTest(table):
                        self.assertEqual([each[:3] for each in told], [("42501", "this household is not one of yours", None)])
                told = {answer(stranger, "insert into quantity_changes (household_id, entity_type, entity_id, id, delta, unit) values (%s, 'StockItem', %s, %s, %s, %s)", household, entity, one, delta, unit)
                        for household in (ours, unknown) for entity in (item, uuid.uuid4()) for one in (change, uuid.uuid4()) for delta, unit in ((1, None), (-100, None), (1, "kg"))}
                told |= {answer(stranger, "insert into receipt_items (household_id, receipt_id, id, item_name, quantity) values (%s, %s, %s, 'Tea', %s)", household, one, row, number)
                         for household in (ours, unknown) for one in (receipt, uuid.uuid4()) for row in (line, uuid.uuid4()) for number in (1, -1)}
                for call in ("create_invite(%s)", "create_invite(%s, 0)", "leave(%s)", "leave(%s, true)", "members(%s)", "invites(%s)", f"remove_member(%s, '{mira}')"):
                    told |= {answer(stranger, f"select * from {call}", household) for household in (ours, unknown)}
                self.assertEqual(len(told), 1, told)
                told = {answer(stranger, "select revoke_invite(%s)", one) for one in (invite, uuid.uuid4())}
                self.assertEqual([each[0] for each in told], ["LA034"])
                told = {answer(stranger, "select accept_invite(%s)", one) for one in (code, code[:-1], "", "x" * 1000000, None)}
                self.assertEqual([each[0] for each in told], ["P0001"])
                for statement in ("update stock_items set name = 'Mine' where household_id = %s", "delete from stock_items where household_id = %s", "update households set name = 'x' where id = %s"):
                    self.assertEqual({answer(stranger, statement, household) for household in (ours, unknown)}, {0})
                found = "insert into households (id, name) values (%s, 'Mine')"
                self.assertEqual(answer(stranger, found, ours)[:2], ("42501", "this household is not one of yours"))
        with Session(mira) as member, Session(vera) as stranger:
            kept = household_of(mira)
            member.request("select leave(%s, true)", kept)
            found = "insert into households (id, name) values (%s, 'Mine')"
            self.assertEqual(answer(stranger, found, kept), answer(stranger, found, ours))

    def test_a_row_that_is_far_too_large_locks_nothing(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        with Session(mira) as first, Session(jonas, {}) as second, first.connection.transaction():
            first.within("insert into products (household_id, id, title) values (%s, 'a', 'Tea')", household)
            second.connection.execute("set lock_timeout to '2s'")
            told = answer(second, "insert into products (household_id, id, title) values (%s, 'b', repeat('x', 2000000))", household)
            self.assertEqual(told[0], "LA001")


if __name__ == "__main__":
    unittest.main()
