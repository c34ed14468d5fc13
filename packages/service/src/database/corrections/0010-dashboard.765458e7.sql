-- The first text of this migration did not have this index.
create index deployment_published on deployment (project_id, published_at) where published_at is not null;
