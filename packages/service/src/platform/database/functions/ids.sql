-- Encodes a number in Crockford's base 32, the most significant digit first. Speed matters, because
-- ids are created under the lock of a project: a loop is ten times as fast as an aggregate over a
-- series.
create or replace function base32(value bigint, digits integer) returns text
language plpgsql immutable strict parallel safe as $$
declare
  result text := '';
begin
  for place in reverse digits - 1 .. 0 loop
    result := result || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((value >> (5 * place)) & 31)::integer + 1, 1);
  end loop;
  return result;
end
$$;

-- Returns the smallest possible id of a millisecond, which turns a date filter into a range of ids.
create or replace function ulid_floor(ms bigint) returns text
language sql immutable strict parallel safe as $$
  select base32(ms, 10) || '0000000000000000'
$$;

-- Returns the smallest possible id of a timestamp.
create or replace function ulid_floor(at timestamptz) returns text
language sql immutable strict parallel safe as $$
  select ulid_floor((extract(epoch from at) * 1000)::bigint)
$$;

-- Returns an id: 10 digits of the time, 4 digits of the counter and 12 random digits. The function
-- is in PL/pgSQL, which keeps plans for a session, whereas an SQL function is planned again for
-- each statement that calls it.
create or replace function make_ulid(ms bigint, counter integer) returns text
language plpgsql volatile strict as $$
begin
  return base32(ms, 10) || base32(counter, 4)
      || base32(('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::bit(60)::bigint, 12);
end
$$;

-- Returns the id of an imported conversation. The same question id and millisecond always lead to
-- the same id. If the question id is already an id of that millisecond, it is kept, so that an
-- export can be imported again.
create or replace function history_id(ms bigint, question text) returns text
language sql immutable strict parallel safe as $$
  select case
    when question ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' and left(question, 10) = base32(ms, 10) then question
    else base32(ms, 10)
      || base32(('x' || encode(substr(sha256(convert_to(question, 'UTF8')), 1, 5), 'hex'))::bit(40)::bigint, 8)
      || base32(('x' || encode(substr(sha256(convert_to(question, 'UTF8')), 6, 5), 'hex'))::bit(40)::bigint, 8)
  end
$$;

-- Returns the project that the transaction is bound to, or null.
create or replace function current_project() returns bigint
language sql stable parallel safe as $$
  select nullif(current_setting('octavo.project_id', true), '')::bigint
$$;

create or replace function current_organization() returns bigint
language sql stable parallel safe as $$
  select nullif(current_setting('octavo.organization_id', true), '')::bigint
$$;

create or replace function now_ms() returns bigint
language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- Returns a timestamp in whole microseconds, which is the precision of the database, so that a
-- cursor in a list that is sorted by time is exact.
create or replace function instant_micros(at timestamptz) returns bigint
language sql immutable strict parallel safe as $$
  select (extract(epoch from at) * 1000000)::bigint
$$;

create or replace function instant_of(micros bigint) returns timestamptz
language sql immutable strict parallel safe as $$
  select timestamptz 'epoch' + micros * interval '1 microsecond'
$$;

-- Returns the day (UTC) of an id, whose first 10 digits are its millisecond.
create or replace function day_of_ulid(id text) returns date
language sql immutable strict parallel safe as $$
  select (timestamp 'epoch' + sum((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, place, 1)) - 1)
      * power(32::numeric, 10 - place)) * interval '1 millisecond')::date
    from generate_series(1, 10) as place
$$;
