-- Returns whether the used tokens have reached 80 % of a budget. For a budget of 0, returns false.
create or replace function is_budget_near(p_tokens bigint, p_max bigint) returns boolean
language sql immutable as $$
  select p_max > 0 and p_tokens * 5 >= p_max * 4
$$;

-- Returns the current day or month (UTC) as the period of a budget, such as 2026-01-31 or 2026-01.
create or replace function budget_period(p_period text) returns text
language sql stable as $$
  select to_char(now() at time zone 'UTC', case p_period when 'day' then 'YYYY-MM-DD' else 'YYYY-MM' end)
$$;

-- Records that the owners of the project may have to be notified about its budget, unless they were
-- already notified for the same period.
create or replace function note_budget_use(p_day boolean, p_month boolean) returns void
language sql as $$
  insert into notice_work (project_id)
    select current_project()
      from (values ('day', p_day), ('month', p_month)) as b (period, is_near)
     where b.is_near and not exists (
       select from notice n
        where n.project_id = current_project() and n.kind = 'assistant.budget' and n.subject = budget_period(b.period))
     limit 1
    on conflict (project_id) do nothing
$$;

-- Counts the projects whose assistant has used 80 % of its tokens for the day or month, and those
-- that have used all of them. Only projects with a notification about this, sent or due, are
-- checked, so that the usage of the other projects need not be read.
create or replace function count_used_budgets(p_day bigint, p_month bigint, out near integer, out spent integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) filter (where d.is_near), count(*) filter (where d.is_spent)
    from (select bool_or(is_budget_near(u.tokens, b.max)) as is_near, bool_or(b.max > 0 and u.tokens >= b.max) as is_spent
            from (select n.project_id from notice n
                   where n.kind = 'assistant.budget' and n.subject in (budget_period('day'), budget_period('month'))
                  union
                  select w.project_id from notice_work w) t
            join project p on p.id = t.project_id and is_served(p)
            left join assistant s on s.project_id = p.id
           cross join lateral (values ('day', coalesce(s.tokens_per_day, p_day)),
                                      ('month', coalesce(s.tokens_per_month, p_month))) as b (period, max)
           cross join lateral (
             select coalesce(sum(a.used_tokens), 0)::bigint as tokens from assistant_usage a
              where a.project_id = p.id and a.day >= date_trunc(b.period, now() at time zone 'UTC')::date) u
           group by p.id) d
$$;
revoke execute on function count_used_budgets(bigint, bigint) from public;
grant execute on function count_used_budgets(bigint, bigint) to octavo_app;

-- Returns projects with a notification that is due, or with an undelivered one that has no job.
create or replace function find_notice_work(p_limit integer, p_build_age interval, p_key_time interval)
returns table (organization_id bigint, project_id bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- The tables of the queue are created after the functions.
  return query select p.organization_id, p.id
    from (select w.project_id from notice_work w
          union
          select b.project_id from build b
           where b.state = 'failed' and b.target = 'production' and b.finished_at > now() - p_build_age
             and not exists (select from notice n
                              where n.project_id = b.project_id and n.kind = 'build.failed' and n.subject = b.id)
          union
          select k.project_id from api_key k
           where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + p_key_time
             and k.expires_at - k.created_at > p_key_time
             and not exists (select from notice n where n.project_id = k.project_id and n.kind = 'key.expiring'
                                and n.subject = key_expiry(k.id, k.expires_at))
          union
          select c.project_id from domain_claim c
           where domain_loss(c) is not null
             and not exists (select from notice n where n.project_id = c.project_id and n.kind = 'domain.lost'
                                and n.subject = domain_loss(c))
          union
          select n.project_id from notice n
           where n.delivered_at is null and n.at > now() - interval '1 day'
             and not exists (select from jobs.job j where j.name = 'notices' and j.singleton_key = n.project_id::text
                                and j.state in ('created', 'retry', 'active'))) d
    join project p on p.id = d.project_id and is_served(p)
   limit p_limit;
end
$$;
revoke execute on function find_notice_work(integer, interval, interval) from public;
grant execute on function find_notice_work(integer, interval, interval) to octavo_app;

-- Returns the subject of the notification about an expiring key. It contains the time of expiry,
-- because a changed expiry needs another notification.
create or replace function key_expiry(p_key bigint, p_expires_at timestamptz) returns text
language sql stable as $$
  select p_key || '-' || floor(extract(epoch from p_expires_at))
$$;

-- Returns the subject of the notification about a lost domain, or null if the domain works. A
-- missing DNS record is reported after 25 hours, when a second check has not found it either. An
-- ended claim is reported within a day.
create or replace function domain_loss(c domain_claim) returns text
language sql stable as $$
  select md5(c.name) || ' ' || c.state || ' ' || floor(extract(epoch from coalesce(c.ended_at, c.missing_since)))
   where (c.state = 'active' and c.missing_since <= now() - interval '25 hours')
      or (c.state in ('lapsed', 'lost') and c.ended_at > now() - interval '1 day')
$$;
