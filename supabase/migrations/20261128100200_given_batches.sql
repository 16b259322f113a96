-- A batch that another program gives to another item takes along what was in it when either of them was counted: a
-- count of all there is knows nothing of what comes to the item, or goes, with a batch.

-- Adds to the ledger of an item, as often as is said, what a batch gave when all of the item was counted.
create or replace function larder.move_share(batch public.inventory_items, item uuid, times integer) returns void
language plpgsql volatile set search_path = '' set enable_seqscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  unit constant text := coalesce(batch.quantity ->> 'unit', 'piece');
  owner public.stock_items;
  gone constant timestamptz := case when batch.status not in ('active', 'consumed')
    then coalesce(larder.moment(batch.edited ->> 'status'), batch.created_at) end;
  own larder.sums;
  share numeric;
begin
  select * into owner from public.stock_items i where i.household_id = batch.household_id and i.id = item;
  if not found then return; end if;
  own := larder.kept(owner.household_id, 'StockItem', item, coalesce(owner.unit, 'piece'), owner.page_from);
  if own.beyond is null then return; end if;
  share := times * (
    select larder.rounded(larder.rounded(s.exact) * larder.factor(unit, own.unit))
    from larder.summed(
      batch.household_id, 'InventoryItem', batch.id, unit, batch.page_from, gone,
      greatest(own.start_at, batch.page_from)) as s);
  if coalesce(share, 0) = 0 then return; end if;
  insert into public.quantity_changes
    (household_id, entity_type, entity_id, at, delta, unit, why, version)
  values (
    owner.household_id, 'StockItem', item, greatest(larder.now(), larder.after(owner.updated_at)), share, own.unit,
    'move', nextval('larder.version'));
end
$$;

-- Batches that were added, got another product, or no longer count.
create or replace function larder.follow_batches() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  is_plain constant boolean := not larder.knows_stamps();
begin
  if larder.is_derived() then return null; end if;
  perform set_config('larder.writing', 'derived', true);
  if tg_op = 'INSERT' then
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}',
      array(select distinct product_id from written));
  else
    -- Larder's own devices say themselves what goes along.
    perform larder.move_share(row (w.*)::public.inventory_items, moved.item, moved.times)
    from written w
    join replaced r using (household_id, id)
    cross join lateral (values
        (larder.owner(household_id, r.product_id), -1), (larder.owner(household_id, w.product_id), 1)
      ) as moved (item, times)
    where is_plain and w.product_id <> r.product_id
      and larder.owner(household_id, r.product_id) is distinct from larder.owner(household_id, w.product_id);
    perform larder.follow_stock(
      array(select distinct household_id from written), '{}',
      array(select product_id from written union select product_id from replaced));
  end if;
  perform set_config('larder.writing', '', true);
  return null;
end
$$;
