"""Checks the promises for concurrent sessions, and for a migration that runs twice."""

import json
import random
import threading
import time
import unittest
import uuid
from pathlib import Path

import psycopg

ROOT = Path(__file__).parents[2]
LARDER = {"x-larder-client": "larder/1"}
TABLES = ["households", "household_members", "household_invites", "stock_items", "inventory_items",
          "storage_locations", "products", "shopping_list_entries", "receipts", "receipt_items",
          "quantity_changes"]


def connect():
    return psycopg.connect("", autocommit=True)


def person():
    """Creates a user."""
    user = uuid.uuid4()
    with connect() as owner:
        owner.execute("insert into auth.users (id, email) values (%s, %s)", (user, f"{user}@test.example"))
    return user


class Session:
    """A client. Every request is its own transaction, as with PostgREST."""

    def __init__(self, user, headers=LARDER):
        self.user, self.headers = user, headers
        self.connection = connect()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def request(self, statement, *values):
        with self.connection.transaction():
            return self.within(statement, *values)

    def within(self, statement, *values):
        """Runs a part of a transaction that the caller ends."""
        self.connection.execute(
            "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', %s, true),"
            " set_config('request.headers', %s, true)",
            (json.dumps({"sub": str(self.user), "role": "authenticated"}), json.dumps(self.headers)))
        cursor = self.connection.execute(statement, values)
        return cursor.fetchall() if cursor.description else cursor.rowcount


def household_of(*users):
    household = uuid.uuid4()
    with Session(users[0]) as founder:
        founder.request("insert into households (id, name) values (%s, 'Home')", household)
        for user in users[1:]:
            code = founder.request("select create_invite(%s) ->> 'code'", household)[0][0]
            with Session(user) as guest:
                guest.request("select accept_invite(%s)", code)
    return household


def together(*works):
    """Runs all at the same time and returns their errors."""
    start, errors = threading.Barrier(len(works)), []

    def run(work):
        start.wait()
        try:
            work()
        except psycopg.Error as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def other_found(user, statement):
    with Session(user) as session:
        session.request(statement, uuid.uuid4())


def waits(session):
    """Whether a session waits for another's lock."""
    with connect() as owner:
        return owner.execute("select wait_event_type = 'Lock' from pg_stat_activity where pid = %s",
                             [session.connection.info.backend_pid]).fetchone()[0]


def until(condition):
    deadline = time.monotonic() + 10
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("nothing happened for 10 s")
        time.sleep(0.005)


class Versions(unittest.TestCase):
    def test_who_began_first_and_commits_later_is_waited_for(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        insert = "insert into products (household_id, id, title) values (%s, %s, 'Tea')"
        with Session(mira) as first, Session(jonas) as second, Session(jonas) as reader:
            newest = "select coalesce(max(version), 0) from products where household_id = %s"
            with first.connection.transaction():
                first.within(insert, household, "a")
                later = threading.Thread(target=second.request, args=[insert, household, "b"])
                later.start()
                until(lambda: waits(second))
                self.assertEqual(reader.request(newest, household), [(0,)])
            later.join()
            versions = reader.request("select id, version from products where household_id = %s order by version", household)
        self.assertEqual([row[0] for row in versions], ["a", "b"])

    def test_other_households_are_not_waited_for(self):
        mira, vera = person(), person()
        ours, theirs = household_of(mira), household_of(vera)
        insert = "insert into products (household_id, id, title) values (%s, 'a', 'Tea')"
        with Session(mira) as first, Session(vera) as second, first.connection.transaction():
            first.within(insert, ours)
            second.connection.execute("set lock_timeout to '2s'")
            self.assertEqual(second.request(insert, theirs), 1)

    def test_other_households_of_who_writes_are_not_waited_for(self):
        mira, jonas = person(), person()
        busy, shared = household_of(mira), household_of(mira, jonas)
        insert = "insert into products (household_id, id, title) values (%s, %s, 'Tea')"
        with Session(mira, {}) as first, Session(jonas, {}) as second:
            first.request(insert, busy, "a")
            second.connection.execute("set lock_timeout to '2s'")
            for turn, statement in enumerate([
                    "insert into products (household_id, id, title) values (%s, 'b', 'Tea')",
                    "update products set title = 'Mate' where household_id = %s", "delete from products where household_id = %s",
                    "update households set name = 'Busy' where id = %s"]):
                with first.connection.transaction():
                    first.within(statement, busy)
                    self.assertEqual(second.request(insert, shared, f"{turn}"), 1)

    def test_a_user_of_6000_households_delays_nobody(self):
        mira, jonas = person(), person()
        shared = household_of(mira, jonas)
        insert = "insert into products (household_id, id, title) values (%s, %s, 'Tea')"
        with connect() as owner:
            owner.execute("insert into household_members (household_id, user_id) select gen_random_uuid(), %s from generate_series(1, 6000)", [mira])
            some = owner.execute("select household_id from household_members where user_id = %s and household_id <> %s limit 1", (mira, shared)).fetchone()[0]
        with Session(mira) as first, Session(jonas) as second, first.connection.transaction():
            begun = time.monotonic()
            first.within(insert, some, "a")
            self.assertLess(time.monotonic() - begun, 1)
            second.connection.execute("set lock_timeout to '2s'")
            self.assertEqual(second.request(insert, shared, "b"), 1)
            with connect() as owner:
                locks = owner.execute("select count(*) from pg_locks where locktype = 'advisory' and pid = %s",
                                      [first.connection.info.backend_pid]).fetchone()[0]
            self.assertEqual(locks, 1)

    def test_a_service_takes_turns_with_the_household_it_writes(self):
        mira = person()
        household = household_of(mira)
        insert = "insert into products (household_id, id, title) values (%s, %s, 'Tea')"
        with Session(mira) as member, connect() as service, member.connection.transaction():
            member.within(insert, household, "a")
            service.execute("set role service_role")
            service.execute("set lock_timeout to '100ms'")
            with self.assertRaises(psycopg.errors.LockNotAvailable):
                service.execute(insert, (household, "b"))

    def test_a_long_transaction_of_a_service_delays_nobody_else(self):
        mira, vera = person(), person()
        ours, theirs = household_of(mira), household_of(vera)
        insert = "insert into products (household_id, id, title) values (%s, %s, 'Tea')"
        with Session(vera) as member, connect() as service, connect() as another:
            for turn, statement in enumerate([insert, "update products set title = 'Mate' where household_id = %s and id <> %s",
                                              "delete from products where household_id = %s and id <> %s"]):
                with service.transaction():
                    service.execute("set local role service_role")
                    service.execute(statement, (ours, "a"))
                    member.connection.execute("set lock_timeout to '2s'")
                    self.assertEqual(member.request(insert, theirs, f"m{turn}"), 1)
                    with another.transaction():
                        another.execute("set local role service_role")
                        another.execute("set local lock_timeout to '2s'")
                        another.execute(insert, (theirs, f"s{turn}"))

    def test_somebody_belongs_to_a_hundred_households_and_no_more(self):
        mira, jonas = person(), person()
        theirs = household_of(jonas)
        with connect() as owner:
            owner.execute("insert into household_members (household_id, user_id) select gen_random_uuid(), %s from generate_series(1, 98)", [mira])
        found = "insert into households (id, name) values (%s, 'Home')"
        with Session(mira) as session, Session(jonas) as host:
            code = host.request("select create_invite(%s) ->> 'code'", theirs)[0][0]
            last = uuid.uuid4()
            with Session(mira) as other:
                errors = together(lambda: session.request(found, last), lambda: other.request(found, uuid.uuid4()), lambda: other_found(mira, found))
            self.assertEqual([error.sqlstate for error in errors], ["LA031"])
            for statement, value in ((found, uuid.uuid4()), ("select accept_invite(%s)", code)):
                with self.assertRaises(psycopg.Error) as refused:
                    session.request(statement, value)
                self.assertEqual(refused.exception.sqlstate, "LA031")
            mine = session.request("select household_id from household_members where user_id = %s and household_id in (select id from households)", mira)[0][0]
            self.assertEqual(session.request(found + " on conflict (household_id, id) do update set name = 'Mine'", mine), 1)
            session.request("select leave(%s, true)", mine)
            session.request("select accept_invite(%s)", code)

    def test_a_reader_never_sees_a_version_below_one_it_has_seen(self):
        users = [person() for _ in range(3)]
        household = household_of(*users)
        done = threading.Event()
        with Session(users[0]) as session:
            session.request("insert into stock_items (household_id, name) values (%s, 'Counted')", household)

        def write(user, number):
            chance = random.Random(number)
            with Session(user, LARDER if number else {}) as session:
                for turn in range(15):
                    with session.connection.transaction():
                        for _ in range(chance.randint(1, 3)):
                            session.within(
                                "insert into quantity_changes (household_id, entity_type, entity_id, delta)"
                                " select household_id, 'StockItem', id, 1 from stock_items, generate_series(1, %s)"
                                " where household_id = %s and name = 'Counted'",
                                chance.randint(1, 4), household)
                            time.sleep(chance.random() / 500)
                            session.within("insert into stock_items (household_id, name, quantity_in_stock)"
                                           " values (%s, 'Tea', 2)", household)

        seen, late = {}, []

        def read():
            with Session(users[0]) as session:
                while True:
                    last = done.is_set()
                    for table in ("quantity_changes", "stock_items"):
                        cursor, known = seen.setdefault(table, [0, set()])
                        rows = {row[0] for row in session.request(
                            f"select version from {table} where household_id = %s", household)}
                        late.extend(version for version in rows - known if version < cursor)
                        seen[table] = [max(rows | {0}), rows]
                    if last:
                        return

        def writers():
            try:
                errors.extend(together(*[lambda n=n: write(users[n], n) for n in range(3)]))
            finally:
                done.set()

        errors = []
        self.assertEqual(together(writers, read) + errors, [])
        self.assertEqual(late, [])
        self.assertGreater(len(seen["quantity_changes"][1]), 100)

    def test_news_that_are_read_while_others_write_are_all_that_was_written(self):
        users = [person() for _ in range(3)]
        household = household_of(*users)
        done = threading.Event()
        with Session(users[0]) as session:
            session.request("insert into stock_items (household_id, name) values (%s, 'Counted')", household)

        def write(user, number):
            chance = random.Random(number)
            with Session(user, LARDER if number else {}) as session:
                for turn in range(12):
                    # A transaction goes on for a while after it has its first versions.
                    with session.connection.transaction():
                        for name in ("Milk", "Tea"):
                            session.within("insert into stock_items (household_id, name) values (%s, %s)", household, name)
                            time.sleep(chance.random() / 200)
                            session.within(
                                "insert into quantity_changes (household_id, entity_type, entity_id, delta)"
                                " select household_id, 'StockItem', id, 1 from stock_items where household_id = %s and name = 'Counted'", household)
                            session.within("update stock_items set category = %s where household_id = %s and name = 'Milk'", f"{number}/{turn}", household)
                            session.within("insert into products (household_id, id, title) values (%s, %s, 'Mate')", household, str(uuid.uuid4()))

        def read():
            with Session(users[0]) as session:
                since = {}
                while True:
                    last = done.is_set()
                    page = session.request("select news(%s, %s, 5)", household, json.dumps(since))[0][0]
                    for table, rows in page["rows"].items():
                        known.update({(table, row["id"]): row["version"] for row in rows})
                    since = page["since"]
                    pages.append(page["more"])
                    if last and not page["more"]:
                        return

        def writers():
            try:
                errors.extend(together(*[lambda n=n: write(users[n], n) for n in range(3)]))
            finally:
                done.set()

        errors, known, pages = [], {}, []
        self.assertEqual(together(writers, read) + errors, [])
        with connect() as owner:
            written = {(table, str(row[0])): row[1] for table in TABLES if table not in ("household_members", "household_invites", "receipt_items")
                       for row in owner.execute(f"select id, version from {table} where household_id = %s", [household])}
        self.assertEqual(known, written)
        self.assertGreater(len(written), 150)
        self.assertGreater(len(pages), 20)

    def test_news_wait_for_nobody_and_bring_what_is_committed_late(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        insert = "insert into products (household_id, id, title) values (%s, %s, 'Tea')"

        def news(since):
            page = reader.request("select news(%s, %s)", household, json.dumps(since))[0][0]
            return page["since"], [row["id"] for row in page["rows"].get("products", [])]

        with Session(mira) as first, Session(jonas) as second, Session(jonas) as reader:
            reader.connection.execute("set lock_timeout to '2s'")
            with first.connection.transaction():
                first.within(insert, household, "a")
                later = threading.Thread(target=second.request, args=[insert, household, "b"])
                later.start()
                until(lambda: waits(second))
                since, ids = news({})
                self.assertEqual(ids, [])
                self.assertEqual(news(since), (since, []))
            later.join()
            since, ids = news(since)
            self.assertEqual(ids, ["a", "b"])
            self.assertEqual(news(since), (since, []))

    def test_requests_of_500_rows_in_opposite_orders_do_not_deadlock(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        upsert = ("insert into products (household_id, id, title, edited)"
                  " select %s, 'p' || n, %s, jsonb_build_object('title', larder.instant(now()))"
                  " from generate_series(1, 500) as n order by n * %s"
                  " on conflict (household_id, id) do update set title = excluded.title, edited = excluded.edited")

        def push(user, direction):
            with Session(user) as session:
                for turn in range(2):
                    session.request(upsert, household, f"{user} {turn}", direction)

        self.assertEqual(together(lambda: push(mira, 1), lambda: push(jonas, -1)), [])
        with connect() as owner:
            titles = owner.execute("select count(distinct title), count(*) from products where household_id = %s", [household]).fetchone()
        self.assertEqual(titles, (1, 500))

    def test_who_changes_a_row_holds_none_while_waiting_for_the_household(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        upsert = ("insert into products (household_id, id, title) values (%s, %s, %s)"
                  " on conflict (household_id, id) do update set title = excluded.title")
        for statement in ("update products set brand = 'B' where id = 'b'", "delete from products where id = 'b'"):
            with self.subTest(statement), Session(mira, {}) as first, Session(jonas, {}) as second:
                first.request(upsert, household, "b", "Tea")
                errors = []
                with first.connection.transaction():
                    first.within(upsert, household, "a", "Tea")
                    change = threading.Thread(target=lambda: errors.extend(together(lambda: second.request(statement))))
                    change.start()
                    until(lambda: waits(second))
                    first.within(upsert, household, "b", "Mate")
                change.join()
                self.assertEqual(errors, [])

    def test_of_two_requests_that_write_two_households_in_opposite_orders_none_deadlocks(self):
        mira, jonas = person(), person()
        households = [household_of(mira, jonas), household_of(jonas, mira)]
        items = [str(uuid.uuid4()) for _ in households]
        with Session(mira) as session:
            for household, item in zip(households, items):
                session.request("insert into stock_items (household_id, id, name) values (%s, %s, 'Tea')", household, item)
        # Each slow enough to meet the other's in the middle.
        each = " from (select h, i, pg_sleep(0.002) from unnest(%s::uuid[], %s::uuid[]) as t (h, i)) as t"
        statements = [
            "insert into products (household_id, id, title) select h, gen_random_uuid(), 'Tea'" + each,
            "insert into products (household_id, id, title) select h, 'p', 'Tea'" + each
            + " on conflict (household_id, id) do update set title = gen_random_uuid()::text",
            "insert into households (id, name) select h, gen_random_uuid()" + each
            + " on conflict (household_id, id) do update set name = excluded.name",
            "insert into quantity_changes (household_id, entity_type, entity_id, delta) select h, 'StockItem', i, 1" + each,
            "update stock_items s set note = gen_random_uuid()" + each + " where s.household_id = t.h and s.id = t.i"]
        with Session(mira) as first, Session(jonas, {}) as second:
            for turn in range(20):
                for one, statement in enumerate(statements):
                    other = statements[(one + turn) % len(statements)]
                    with self.subTest(statement, other=other):
                        self.assertEqual(together(lambda: first.request(statement, households, items),
                                                  lambda: second.request(other, households[::-1], items[::-1])), [])
            self.assertEqual(first.request("select quantity_in_stock from stock_items where household_id = any (%s)", households), [(40,)] * 2)

    def test_who_deletes_their_account_deadlocks_with_nobody_who_writes_their_households(self):
        for turn in range(10):
            mira, jonas = person(), person()
            households = [household_of(mira, jonas), household_of(jonas, mira)]
            write = ("insert into products (household_id, id, title) select h, gen_random_uuid(), 'Tea'"
                     " from (select h, pg_sleep(0.02) from unnest(%s::uuid[]) as h) as t")
            found = "insert into households (id, name) select h, 'Home' from unnest(%s::uuid[]) as h on conflict (household_id, id) do update set name = 'Mine'"
            with Session(mira) as first, Session(jonas) as second, connect() as owner:
                errors = together(
                    lambda: first.request("select delete_account(true) from pg_sleep(0.03)") if turn % 2
                    else owner.execute("delete from auth.users using pg_sleep(0.03) where id = %s", [mira]),
                    lambda: second.request(write, households[::(-1) ** (turn // 2)]),
                    lambda: first.request(found, [*households, uuid.uuid4()]) if turn % 2 == 0 else None)
            self.assertNotIn("40P01", [error.sqlstate for error in errors])

    def test_what_two_add_at_once_is_all_counted(self):
        mira, jonas = person(), person()
        household, item, batch = household_of(mira, jonas), uuid.uuid4(), uuid.uuid4()
        with Session(mira) as session:
            session.request("insert into stock_items (household_id, id, name) values (%s, %s, 'Tea')", household, item)
            session.request("insert into inventory_items (household_id, id, product_ref) values (%s, %s, %s)",
                            household, batch, json.dumps({"productId": str(item)}))

        def use(user):
            with Session(user) as session:
                for turn in range(20):
                    session.request("insert into quantity_changes (household_id, entity_type, entity_id, delta)"
                                    " values (%s, 'StockItem', %s, 1), (%s, 'InventoryItem', %s, 2)",
                                    household, item, household, batch)

        self.assertEqual(together(lambda: use(mira), lambda: use(jonas)), [])
        with connect() as owner:
            self.assertEqual(owner.execute("select quantity_in_stock from stock_items where id = %s", [item]).fetchone(), (120,))

    def test_two_writes_of_one_row_are_joined_whoever_waits(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        with Session(mira) as first, Session(jonas) as second:
            first.request("insert into products (household_id, id, title) values (%s, 'p', 'Tea')", household)
            with first.connection.transaction():
                first.within("update products set title = 'Mate', edited = edited || jsonb_build_object("
                             "'title', larder.instant(now())) where household_id = %s", household)
                change = threading.Thread(target=second.request, args=[
                    "update products set brand = 'B', edited = jsonb_build_object('brand', larder.instant(now()))"
                    " where household_id = %s", household])
                change.start()
                until(lambda: waits(second))
            change.join()
            self.assertEqual(first.request("select title, brand from products where household_id = %s", household), [("Mate", "B")])


class Sharing(unittest.TestCase):
    def test_of_two_who_found_one_household_at_once_one_belongs_to_it(self):
        for ending in ("", " on conflict (household_id, id) do update set name = excluded.name", " on conflict do nothing"):
            mira, vera, household = person(), person(), uuid.uuid4()
            found = "insert into households (id, name) values (%s, 'Home')" + ending
            with Session(mira) as first, Session(vera) as second:
                errors = []

                def late():
                    try:
                        second.request(found, household)
                    except psycopg.Error as error:
                        errors.append(error.sqlstate)

                with first.connection.transaction():
                    first.within(found, household)
                    thread = threading.Thread(target=late)
                    thread.start()
                    until(lambda: waits(second))
                thread.join()
                with self.subTest(ending):
                    self.assertEqual(first.request("select user_id from household_members where household_id = %s", household), [(mira,)])
                    self.assertEqual(errors, ["42501"])
                    self.assertEqual(second.request("select id from households where id = %s", household), [])

    def test_of_two_who_accept_one_invitation_at_once_one_comes(self):
        mira = person()
        household = household_of(mira)
        with Session(mira) as session:
            code = session.request("select create_invite(%s) ->> 'code'", household)[0][0]

        def accept():
            with Session(person()) as guest:
                guest.request("select accept_invite(%s)", code)

        errors = together(*[accept] * 4)
        self.assertEqual([error.sqlstate for error in errors], ["P0001"] * 3)
        with connect() as owner:
            self.assertEqual(owner.execute("select count(*) from household_members where household_id = %s", [household]).fetchone(), (2,))

    def test_leaving_and_accepting_at_once_do_not_deadlock(self):
        for turn in range(10):
            mira, jonas, vera = person(), person(), person()
            household = household_of(mira, jonas)
            with Session(jonas) as host, Session(vera) as guest:
                code = host.request("select create_invite(%s) ->> 'code'", household)[0][0]
                errors = together(lambda: host.request("select leave(%s)", household),
                                  lambda: guest.request("select accept_invite(%s)", code))
                self.assertIn([error.sqlstate for error in errors], ([], ["P0001"]))

    def test_an_invitation_that_is_being_accepted_is_waited_for_by_who_leaves(self):
        mira, jonas, vera = person(), person(), person()
        household = household_of(mira, jonas)
        with Session(jonas) as host, Session(vera) as guest:
            code = host.request("select create_invite(%s) ->> 'code'", household)[0][0]
            with guest.connection.transaction():
                guest.within("select accept_invite(%s)", code)
                thread = threading.Thread(target=host.request, args=["select leave(%s)", household])
                thread.start()
                until(lambda: waits(host))
            thread.join()
            self.assertEqual(guest.request("select count(*) from household_members where household_id = %s", household), [(2,)])


    def test_of_two_who_leave_at_once_one_is_the_last(self):
        mira, jonas = person(), person()
        household = household_of(mira, jonas)
        with Session(mira) as first, Session(jonas) as second:
            errors = together(*[lambda s=s: s.request("select leave(%s)", household) for s in (first, second)])
            self.assertEqual([error.sqlstate for error in errors], ["LA030"])
        self.assertEqual(self.left(household), (1, 1))

    def test_accounts_that_are_deleted_at_once_leave_no_household_without_members(self):
        for turn in range(5):
            mira, jonas = person(), person()
            household = household_of(mira, jonas)
            with Session(mira) as session:
                session.request("insert into stock_items (household_id, name) values (%s, 'Tea')", household)
            with connect() as first, connect() as second:
                delete = "delete from auth.users where id = %s"
                self.assertEqual(together(lambda: first.execute(delete, [mira]), lambda: second.execute(delete, [jonas])), [])
            self.assertEqual(self.left(household), (0, 0))

    def test_who_comes_while_the_last_one_goes_keeps_all_or_does_not_come(self):
        for turn in range(5):
            mira, jonas = person(), person()
            household = household_of(mira)
            with Session(mira) as host, Session(jonas) as guest:
                code = host.request("select create_invite(%s) ->> 'code'", household)[0][0]
                errors = together(lambda: host.request("select leave(%s, true)", household),
                                  lambda: guest.request("select accept_invite(%s)", code))
            self.assertIn(([error.sqlstate for error in errors], self.left(household)), [([], (1, 1)), (["P0001"], (0, 0))])

    def left(self, household):
        with connect() as owner:
            return owner.execute("select (select count(*) from household_members where household_id = %(h)s),"
                                 " (select count(*) from households where id = %(h)s)", {"h": household}).fetchone()


class Migrations(unittest.TestCase):
    def test_a_second_run_is_refused_as_a_whole_and_changes_nothing(self):
        mira = person()
        household = household_of(mira)
        with Session(mira) as session:
            session.request("insert into stock_items (household_id, name) values (%s, 'Tea')", household)
        with connect() as owner:
            before = self.contents(owner), self.schema(owner)
            for path in sorted((ROOT / "supabase/migrations").glob("*.sql")):
                # As the SQL editor sends a file: all of it at once.
                with self.assertRaises(psycopg.Error) as refusal:
                    owner.execute(path.read_text())
                self.assertIn("already", str(refusal.exception))
            self.assertEqual((self.contents(owner), self.schema(owner)), before)

    def contents(self, owner):
        return {table: sorted(row[0] for row in owner.execute(f"select t::text from {table} t")) for table in TABLES}

    def schema(self, owner):
        """Returns the objects that a second run could duplicate or remove."""
        return {name: sorted(owner.execute(query).fetchall()) for name, query in {
            "constraints": "select conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) from pg_constraint"
                           " where connamespace = 'public'::regnamespace",
            "indexes": "select indexname::text, indexdef from pg_indexes where schemaname = 'public'",
            "triggers": "select tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
            "policies": "select tablename::text, policyname::text, cmd, qual, with_check from pg_policies where schemaname = 'public'",
            "functions": "select oid::regprocedure::text, array(select a::text from unnest(proacl) as a order by 1) from pg_proc"
                         " where pronamespace in ('public'::regnamespace, 'larder'::regnamespace)",
            "tables": "select relname::text, array(select a::text from unnest(relacl) as a order by 1) from pg_class where relnamespace = 'public'::regnamespace",
        }.items()}


if __name__ == "__main__":
    unittest.main()
