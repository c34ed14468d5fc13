-- Files that no deployment needs are deleted, what an organisation stores is counted and limited, and
-- operators suspend projects and take deployments down.

-- When another deployment went live in its place.
alter table deployment add column superseded_at timestamptz;
-- When what only this deployment needed was given back. Empty again once it is no longer kept.
alter table deployment add column collected_at timestamptz;
alter table deployment drop constraint deployment_state_check;
alter table deployment add constraint deployment_state_check
  check (state in ('uploading', 'ready', 'failed', 'cancelled', 'expired', 'removed'));
update deployment d set superseded_at = d.published_at
 where d.published_at is not null
   and not exists (select from publication p where p.project_id = d.project_id and p.deployment_id = d.id);
drop index deployment_published;
create index deployment_superseded on deployment (project_id, superseded_at) where superseded_at is not null;
create index deployment_uncollected on deployment (finished_at) where collected_at is null and finished_at is not null;

-- Why readers and deployments are refused.
alter table project add column suspended_reason text check (length(suspended_reason) between 1 and 1000);

-- What an organisation may store; no limit without it.
alter table organisation add column storage_bytes_max bigint check (storage_bytes_max >= 0);

-- Does anybody need this blob?
create index project_blob_sha256 on project_blob (sha256);
grant update (stored_at) on project_blob to octavo_app;

-- Blobs that are being deleted from the store, and those that just were: a file that was sent at the
-- same time is not taken for stored. It belongs to nobody, so only functions see it.
create table collected_blob (
  sha256      bytea primary key,
  claimed_at  timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);

-- Bytes that the projects of an organisation store.
create table storage_usage (
  organisation_id bigint primary key references organisation on delete cascade,
  bytes           bigint not null
) with (fillfactor = 50);
alter table storage_usage enable row level security;
create policy one_organisation on storage_usage to octavo_app
  using (organisation_id = nullif(current_setting('octavo.organisation_id', true), '')::bigint);
grant select, insert, update on storage_usage to octavo_app;
insert into storage_usage (organisation_id, bytes)
  select p.organisation_id, sum(b.size) from project_blob b join project p on p.id = b.project_id group by 1;

create function count_added_storage() returns trigger language plpgsql as $$
begin
  insert into storage_usage as u (organisation_id, bytes)
    select p.organisation_id, sum(a.size) from added a join project p on p.id = a.project_id group by 1
    on conflict (organisation_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end
$$;
create function count_removed_storage() returns trigger language plpgsql as $$
begin
  update storage_usage u set bytes = u.bytes - r.bytes
    from (select p.organisation_id, sum(g.size) as bytes
            from gone g join project p on p.id = g.project_id group by 1) r
   where u.organisation_id = r.organisation_id;
  return null;
end
$$;
create trigger storage_added after insert on project_blob
  referencing new table as added for each statement execute function count_added_storage();
create trigger storage_removed after delete on project_blob
  referencing old table as gone for each statement execute function count_removed_storage();

-- What readers of a project were sent, a row a day.
create table traffic (
  project_id bigint not null references project (id) on delete cascade,
  day        date not null,
  requests   bigint not null,
  bytes      bigint not null,
  primary key (project_id, day)
) with (fillfactor = 50);
alter table traffic enable row level security;
create policy one_project on traffic to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select on traffic to octavo_app;
