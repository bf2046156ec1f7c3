/** Raised with every change of the tables: a database of another number is emptied and read from the log again. */
export const SCHEMA_VERSION = 2

/** Deletes the tables that there are. */
export const DROP_TABLES = `
drop table if exists offsets;
drop table if exists sessions;
drop table if exists steps;
drop table if exists questions;
drop table if exists answers;
drop table if exists notes;
drop table if exists appeals;
drop table if exists reasons;
`

/**
 * Members of the events topic and of the decisions topic are in columns of their own, so that it does not matter which topic is read
 * first. `level` is the place in LEVELS. Columns with JSON have it as text.
 */
export const CREATE_TABLES = `
create table offsets (
  topic text not null,
  partition integer not null,
  next text not null,
  primary key (topic, partition)
);
create table sessions (
  id text primary key,
  tenant text not null,
  started_at integer not null,
  last_at integer not null,
  -- events
  agent text, category text, client text, task text, parent text, root text,
  ended integer not null default 0,
  -- decisions
  steps integer not null default 0,
  allowed integer not null default 0,
  warned integer not null default 0,
  asked integer not null default 0,
  blocked integer not null default 0,
  level integer, band integer not null default 0,
  hazard real, probability real, horizon integer, no_return integer,
  exposure text, taint text,
  violations integer not null default 0,
  without_verdict integer not null default 0,
  last_tool text, last_verdict text, versions text, chain text
);
create index sessions_by_root on sessions (root);
create index sessions_by_time on sessions (last_at);
create table steps (
  session_id text not null,
  event_id text not null,
  at integer not null,
  -- events
  p_offset integer, call_id text, tool text, digest text,
  effects text, labels text, arguments text,
  completed_at integer, outcome text,
  -- decisions
  d_offset integer, decision_id text, kind text, number integer,
  d_call_id text, d_tool text, d_digest text,
  first_verdict text, verdict text, mode text, decision text, risk text,
  primary key (session_id, event_id)
);
create index steps_by_call on steps (session_id, call_id, p_offset);
create table questions (
  decision_id text primary key,
  session_id text not null,
  tenant text not null,
  event_id text not null,
  call_id text not null,
  d_offset integer not null,
  asked_at integer not null,
  expires_at integer not null,
  band integer not null,
  probability real not null,
  decision text not null,
  closed_at integer, closed_event text, closed_verdict text, closed_decision text
);
create index questions_by_call on questions (session_id, call_id);
create index questions_open on questions (expires_at) where closed_at is null;
create table answers (
  session_id text not null,
  event_id text not null,
  decision_id text not null,
  answer text not null,
  primary key (session_id, event_id)
);
create table notes (
  session_id text not null,
  id text not null,
  at integer not null,
  type text not null,
  text text not null,
  primary key (session_id, id)
);
create table appeals (
  session_id text not null,
  id text not null,
  p_offset integer not null,
  at integer not null,
  decision_id text not null,
  call_id text not null,
  tool text not null,
  verdict text not null,
  expected text not null,
  reasons text not null,
  by_name text not null,
  reason text,
  primary key (session_id, id)
);
create index appeals_by_decision on appeals (session_id, decision_id, p_offset);
create table reasons (
  session_id text not null,
  event_id text not null,
  source text not null,
  code text not null,
  verdict text not null,
  primary key (session_id, event_id, source, code, verdict)
);
create index reasons_by_code on reasons (code);
`
