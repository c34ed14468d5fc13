-- What owners may know about use: counts by the hour and by the day, and what readers say about pages. No row
-- says who a reader was.

-- Kept for 30 days, one partition a day.
create table event_hour (
  project_id bigint not null,
  hour       timestamptz not null,
  -- `view`, `file`, `not-found`, `referrer`, `search`, `search-click`, `mcp`, `playground`
  event      text collate "C" not null check (length(event) <= 20),
  -- A path, a query, the host of a referrer, or the name of a tool.
  subject    text collate "C" not null check (length(subject) <= 300),
  -- Who it was (`people`, `agents`, `bots`), or what became of it.
  detail     text collate "C" not null check (length(detail) <= 300),
  count      bigint not null,
  primary key (project_id, event, hour, subject, detail)
) partition by range (hour);
alter table event_hour enable row level security;
create policy one_project on event_hour to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select on event_hour to octavo_app;

-- Kept for 25 months, one partition a month. Has visitors too: how many different ones a page had on the day, and
-- the whole site, which has no subject.
create table event_day (
  project_id bigint not null,
  day        date not null,
  event      text collate "C" not null check (length(event) <= 20),
  subject    text collate "C" not null check (length(subject) <= 300),
  detail     text collate "C" not null check (length(detail) <= 300),
  count      bigint not null,
  last_at    timestamptz not null,
  primary key (project_id, event, day, subject, detail)
) partition by range (day);
alter table event_day enable row level security;
create policy one_project on event_day to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select on event_day to octavo_app;

-- Each process counts in memory and stores what it counted in numbered batches. A batch that comes twice, because
-- its first reply was lost, is known by its number.
create table event_batch (
  host     uuid primary key,
  sequence bigint not null,
  at       timestamptz not null default now()
);

-- Visitors of today are known by hashes that nobody can make again once the salt of the day is gone. Of many
-- visitors the smallest hashes are kept: how far they reach says how many there are.
create table visitor_salt (
  day  date primary key,
  salt bytea not null
);
alter table event_batch enable row level security;
create policy nobody on event_batch to octavo_app using (false);
alter table visitor_salt enable row level security;
create policy nobody on visitor_salt to octavo_app using (false);
grant select on event_batch, visitor_salt to octavo_app;

create table visitor_set (
  project_id bigint not null references project (id) on delete cascade,
  day        date not null,
  subject    text collate "C" not null check (length(subject) <= 300),
  detail     text collate "C" not null check (length(detail) <= 20),
  hashes     bigint[] not null check (cardinality(hashes) <= 512),
  primary key (project_id, day, subject, detail)
);
create index visitor_set_day on visitor_set (day);
alter table visitor_set enable row level security;
create policy one_project on visitor_set to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select on visitor_set to octavo_app;

-- What readers, and agents, say about a page.
create table feedback (
  project_id bigint not null references project (id) on delete cascade,
  id         text collate "C" not null,
  -- Chosen by the page of the reader, who can say more about the same thing with it for an hour.
  key        uuid not null,
  source     text not null check (source in ('thumbs_only', 'contextual', 'code_snippet', 'agent')),
  path       text collate "C" not null check (length(path) <= 300),
  helpful    boolean,
  comment    text check (length(comment) <= 1000),
  contact    text check (length(contact) <= 200),
  code       text check (length(code) <= 500),
  filename   text check (length(filename) <= 100),
  lang       text check (length(lang) <= 100),
  status     text not null default 'pending' check (status in ('pending', 'in_progress', 'resolved', 'dismissed')),
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create unique index feedback_key on feedback (project_id, key);
alter table feedback enable row level security;
create policy one_project on feedback to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select, insert, update, delete on feedback to octavo_app;
