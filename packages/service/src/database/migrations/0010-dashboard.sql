-- What owners see and change without a shell: who made a key and what it replaces, lists that stay quick
-- with a million rows, and counts of each day.

alter table api_key
  -- The same words as in audit_event: `operator`, `key <id>`, `user <id>`, or the job of CI.
  add column created_by      text,
  -- The key that it was made for when that was rotated.
  add column replaces        bigint,
  add column idempotency_key text check (length(idempotency_key) <= 200);
create unique index api_key_idempotency on api_key (project_id, idempotency_key) where idempotency_key is not null;
create index api_key_created on api_key (project_id, created_at, id);
-- Rotating ends the old key.
grant update (expires_at) on api_key to octavo_app;

create index audit_event_of_project on audit_event (organisation_id, project_id, at, id);

-- What an owner sets of a project; its id, its name in addresses and its protection stay the operator's.
grant update (name, settings, retention_days) on project to octavo_app;

-- Filters of the list that match few rows. One that matches many walks the primary key.
create index conversation_unanswered on conversation (project_id, id) where resolution_status = 'unanswered';
create index conversation_category on conversation (project_id, query_category, id) where query_category is not null;
create index conversation_feedback_kind on conversation_feedback (project_id, is_helpful, id);

create index deployment_published on deployment (project_id, published_at) where published_at is not null;
create index deployment_branch on deployment (project_id, branch, id);
create index gap_open on gap (project_id) where state = 'open';

-- How many conversations there are of a day (UTC), and how they were rated. Counted when they are written and
-- deleted: counting a million rows for every look at a chart would cost a second.
create table conversation_day (
  project_id bigint not null references project (id) on delete cascade,
  day        date not null,
  answered   integer not null default 0,
  unanswered integer not null default 0,
  helpful    integer not null default 0,
  unhelpful  integer not null default 0,
  primary key (project_id, day)
) with (fillfactor = 50);
alter table conversation_day enable row level security;
create policy one_project on conversation_day to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select, insert, update on conversation_day to octavo_app;

-- The day (UTC) of an id, which begins with its millisecond.
create function day_of_ulid(id text) returns date
language sql immutable strict parallel safe as $$
  select (timestamp 'epoch' + sum((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, place, 1)) - 1)
      * power(32::numeric, 10 - place)) * interval '1 millisecond')::date
    from generate_series(1, 10) as place
$$;

-- Once for each statement, however many rows it has.
create function count_added_conversations() returns trigger language plpgsql as $$
begin
  insert into conversation_day as d (project_id, day, answered, unanswered)
    select c.project_id, (c.recorded_at at time zone 'UTC')::date,
           count(*) filter (where c.resolution_status = 'answered'),
           count(*) filter (where c.resolution_status = 'unanswered')
      from changed c group by 1, 2 order by 1, 2
    on conflict (project_id, day) do update
      set answered = d.answered + excluded.answered, unanswered = d.unanswered + excluded.unanswered;
  return null;
end
$$;
create function count_deleted_conversations() returns trigger language plpgsql as $$
begin
  update conversation_day d set answered = d.answered - g.answered, unanswered = d.unanswered - g.unanswered
    from (select c.project_id, (c.recorded_at at time zone 'UTC')::date as day,
                 count(*) filter (where c.resolution_status = 'answered') as answered,
                 count(*) filter (where c.resolution_status = 'unanswered') as unanswered
            from changed c group by 1, 2) g
   where d.project_id = g.project_id and d.day = g.day;
  return null;
end
$$;
create trigger conversations_added after insert on conversation
  referencing new table as changed for each statement execute function count_added_conversations();
create trigger conversations_deleted after delete on conversation
  referencing old table as changed for each statement execute function count_deleted_conversations();

-- A rating counts on the day of its conversation, which is deleted before it.
create function count_feedback() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update conversation_day d set helpful = d.helpful - old.is_helpful::integer, unhelpful = d.unhelpful - (not old.is_helpful)::integer
     where d.project_id = old.project_id and d.day = day_of_ulid(old.id);
  end if;
  if tg_op <> 'DELETE' then
    update conversation_day d set helpful = d.helpful + new.is_helpful::integer, unhelpful = d.unhelpful + (not new.is_helpful)::integer
     where d.project_id = new.project_id and d.day = day_of_ulid(new.id);
  end if;
  return null;
end
$$;
create trigger feedback_counted after insert or update or delete on conversation_feedback
  for each row execute function count_feedback();

insert into conversation_day (project_id, day, answered, unanswered, helpful, unhelpful)
  select c.project_id, (c.recorded_at at time zone 'UTC')::date,
         count(*) filter (where c.resolution_status = 'answered'),
         count(*) filter (where c.resolution_status = 'unanswered'),
         count(*) filter (where f.is_helpful), count(*) filter (where not f.is_helpful)
    from conversation c
    join project p on p.id = c.project_id
    left join conversation_feedback f on f.project_id = c.project_id and f.id = c.id
   group by 1, 2;
