-- Own domains of projects: who claims which name, and whether its owner agreed.

create table domain_claim (
  project_id    bigint not null references project (id) on delete cascade,
  -- As `parse-domain.ts` gives it: lower case, punycode, no dot at the end.
  name          text collate "C" not null check (length(name) between 4 and 253 and name ~ '^[a-z0-9.-]+$'),
  -- The value of the TXT record that proves the claim. Another organisation has another one.
  token         text collate "C" not null check (length(token) = 32),
  -- `waiting`: never proven. `active`: the site is served there. `lapsed`: the record was gone for 7 days.
  -- `lost`: another organisation proved the name when the record was gone. `removed`: by a member.
  state         text not null default 'waiting' check (state in ('waiting', 'active', 'lapsed', 'lost', 'removed')),
  -- Readers are sent to the name with `www.`, or without it, which the project has too.
  redirects     boolean not null default false,
  -- What the last check saw.
  lights        jsonb,
  created_at    timestamptz not null default now(),
  -- When the record was seen last, and since when an active claim misses it.
  seen_at       timestamptz,
  missing_since timestamptz,
  -- When it lapsed, was lost or removed.
  ended_at      timestamptz,
  next_check_at timestamptz not null default now(),
  primary key (project_id, name)
);
-- Whatever else goes wrong, no name leads to two projects.
create unique index domain_claim_active on domain_claim (name) where state = 'active';
create index domain_claim_name on domain_claim (name);
create index domain_claim_due on domain_claim (next_check_at) where state <> 'removed';
create index domain_claim_ended on domain_claim (ended_at) where ended_at is not null;

alter table domain_claim enable row level security;
create policy one_project on domain_claim to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);

grant select on domain_claim to octavo_app;
grant update (redirects, lights) on domain_claim to octavo_app;
