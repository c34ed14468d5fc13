-- In the first text of this migration tokens had no id. No version made tokens with that text.
alter table reader_session add column id text collate "C" check (length(id) <= 20);
alter table reader_session rename constraint reader_session_check1 to reader_session_check2;
alter table reader_session add constraint reader_session_check1
  check ((way = 'token') = (id is not null and name is not null));
drop index reader_session_tokens;
create unique index reader_session_tokens on reader_session (project_id, id) where way = 'token';
