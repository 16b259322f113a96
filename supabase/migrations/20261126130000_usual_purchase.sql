-- What the shopping list asks for of an item without a full stock (docs/adoption.md, section 13): what was
-- bought last, otherwise the most that was ever recorded, in whole packs.

create or replace function larder.usual_purchase(item public.stock_items) returns numeric
language plpgsql stable set search_path = ''
as $$
declare
  wanted_unit constant text := coalesce(item.unit, 'piece');
  products constant jsonb := coalesce(nullif(item.products, 'null'), '[]');
  usual numeric;
  step numeric;
begin
  with holders (kind, id, page) as (
    select 'StockItem', item.id, item.page_from
    union all
    -- As in larder.batched.
    select 'InventoryItem', b.id, b.page_from
    from public.inventory_items b
    where b.household_id = item.household_id and b.status <> 'discarded'
      and b.product_id = any (item.id::text || array(select jsonb_array_elements_text(products)))
      and coalesce(b.extra ->> 'householdId', item.household_id::text) = item.household_id::text
      and (b.product_id = item.id::text or not exists (
        select from public.stock_items s
        where s.household_id = item.household_id
          and (s.id = larder.uuid_of(b.product_id)
            or (s.id < item.id and s.products ? b.product_id))))
  ), entries as (
    select c.at, c.id, c.why, c.receipt, c.delta is not null as is_delta,
      coalesce(c.delta, c."set")
        * larder.factor(coalesce(c.unit, 'piece'), wanted_unit) as number
    from holders h
    join public.quantity_changes c
      on c.household_id = item.household_id and c.entity_type = h.kind and c.entity_id = h.id
    where c.undoes is null and larder.factor(coalesce(c.unit, 'piece'), wanted_unit) is not null
      and (h.page is null or c.at >= h.page or larder.is_derived_id(c.id))
      and (c.at = h.page is true or not exists (
        select from public.quantity_changes u
        where u.household_id = c.household_id and u.entity_type = c.entity_type
          and u.entity_id = c.entity_id and u.undoes = c.id))
  ), arrival as (
    select * from entries where is_delta and number > 0 and why in ('add', 'receipt')
    order by at desc, id desc limit 1
  ), bought as (
    select larder.rounded(case
      when a.why = 'receipt' and a.receipt is not null then (
        select sum(e.number) from entries e
        where e.is_delta and e.why = 'receipt' and e.receipt = a.receipt)
      else a.number end) as number
    from arrival a
  )
  select coalesce(
    (select number from bought where number > 0),
    (select larder.rounded(max(number)) from entries having larder.rounded(max(number)) > 0), 1)
  into usual;
  select larder.rounded(p.pack_size * larder.factor(coalesce(p.unit, 'piece'), wanted_unit))
  into step
  from jsonb_array_elements_text(products) with ordinality as named (id, place)
  join public.products p on p.household_id = item.household_id and p.id = named.id
  where larder.rounded(p.pack_size * larder.factor(coalesce(p.unit, 'piece'), wanted_unit)) > 0
  order by named.place limit 1;
  if step is null and wanted_unit in ('gram', 'kilogram', 'milliliter', 'liter') then
    return usual;
  end if;
  step := coalesce(step, 1);
  return trim_scale(step * (div(usual, step) + case when mod(usual, step) > 0 then 1 else 0 end));
end
$$;

-- The entry is written at the latest time of the item and its batches and joined, as every device
-- does.
create or replace function larder.want(item public.stock_items, lack integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  entry_id constant uuid := extensions.uuid_generate_v5(
    '6c617264-6572-5000-8000-666f726d6174', 'entry/' || item.id::text);
  at constant text := larder.instant(item.updated_at);
  wanted_unit constant text := coalesce(item.unit, 'piece');
  minimum constant numeric := coalesce(item.quantity_minimum, 0);
  wished constant numeric := greatest(item.quantity_full_stock, minimum);
  wanted constant numeric := case
    when lack = 2 then case when wished > 0 then wished else larder.usual_purchase(item) end
    when wished > minimum then larder.rounded(wished - minimum)
    else minimum
  end;
  entry public.shopping_list_entries;
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  stamps jsonb := '{}';
begin
  select * into entry from public.shopping_list_entries e
  where e.household_id = item.household_id and e.id = entry_id;
  perform set_config('larder.writing', 'stamped', true);
  if entry.id is null then
    insert into public.shopping_list_entries
      (household_id, id, item_id, desired_quantity, unit, user_id, created_at)
    values (
      item.household_id, entry_id, item.id, wanted, wanted_unit, item.user_id, item.updated_at);
  elsif entry.is_deleted or not coalesce(entry.is_completed, false) and not (lack = 1
    and coalesce(larder.rounded(entry.desired_quantity * larder.factor(
      coalesce(entry.unit, 'piece'), wanted_unit)) >= wanted, false))
  then
    if (entry.desired_quantity, entry.unit) is distinct from (wanted, wanted_unit) then
      stamps := jsonb_build_object('desiredQuantity', at, 'unit', at);
    end if;
    if entry.is_deleted then
      stamps := stamps || jsonb_build_object('isDeleted', at) || case
        when entry.is_completed is distinct from false
        then jsonb_build_object('isCompleted', at) else '{}' end;
    end if;
    if stamps <> '{}' then
      update public.shopping_list_entries e set
        desired_quantity = wanted, unit = wanted_unit, is_deleted = false,
        is_completed = case when entry.is_deleted then false else e.is_completed end,
        edited = e.edited || stamps
      where e.household_id = item.household_id and e.id = entry_id;
    end if;
  end if;
  perform set_config('larder.writing', writing, true);
end
$$;
