-- Crockford's base 32, most significant digit first.
create or replace function base32(value bigint, digits integer) returns text
language sql immutable strict parallel safe as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((value >> (5 * place)) & 31)::integer + 1, 1), '' order by place desc)
  from generate_series(0, digits - 1) as place
$$;

-- The smallest id of a millisecond: a date filter is a range of ids.
create or replace function ulid_floor(ms bigint) returns text
language sql immutable strict parallel safe as $$
  select base32(ms, 10) || '0000000000000000'
$$;

-- The smallest id of an instant.
create or replace function ulid_floor(at timestamptz) returns text
language sql immutable strict parallel safe as $$
  select ulid_floor((extract(epoch from at) * 1000)::bigint)
$$;

-- An id: 10 digits of time, 4 of the counter, 12 of chance.
create or replace function make_ulid(ms bigint, counter integer) returns text
language sql volatile strict as $$
  select base32(ms, 10) || base32(counter, 4)
      || base32(('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::bit(60)::bigint, 12)
$$;

-- The id of an imported conversation: the same for the same turn and millisecond, whenever it is
-- imported. A turn that is named by an id of that millisecond keeps it, so that an export can come
-- back.
create or replace function history_id(ms bigint, turn text) returns text
language sql immutable strict parallel safe as $$
  select case
    when turn ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' and left(turn, 10) = base32(ms, 10) then turn
    else base32(ms, 10)
      || base32(('x' || encode(substr(sha256(convert_to(turn, 'UTF8')), 1, 5), 'hex'))::bit(40)::bigint, 8)
      || base32(('x' || encode(substr(sha256(convert_to(turn, 'UTF8')), 6, 5), 'hex'))::bit(40)::bigint, 8)
  end
$$;

-- The tenant that the transaction is bound to; nothing without one.
create or replace function current_project() returns bigint
language sql stable parallel safe as $$
  select nullif(current_setting('octavo.project_id', true), '')::bigint
$$;

create or replace function current_organisation() returns bigint
language sql stable parallel safe as $$
  select nullif(current_setting('octavo.organisation_id', true), '')::bigint
$$;

create or replace function now_ms() returns bigint
language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- An instant as a whole number of microseconds, which is all that the database keeps of it: a cursor through
-- rows in the order of time has to name it exactly.
create or replace function instant_micros(at timestamptz) returns bigint
language sql immutable strict parallel safe as $$
  select (extract(epoch from at) * 1000000)::bigint
$$;

create or replace function instant_of(micros bigint) returns timestamptz
language sql immutable strict parallel safe as $$
  select timestamptz 'epoch' + micros * interval '1 microsecond'
$$;
