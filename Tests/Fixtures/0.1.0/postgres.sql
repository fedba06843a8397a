SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.note_account_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO cache_changes (account_id) VALUES (OLD.id);
    RETURN NULL;
END $$;
CREATE FUNCTION public.note_group_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO cache_changes (account_id) VALUES (coalesce(NEW.account_id, OLD.account_id));
    RETURN NULL;
END $$;
CREATE FUNCTION public.note_session_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO cache_changes (account_id, token_digest) VALUES (OLD.account_id, OLD.token_digest);
    RETURN NULL;
END $$;
SET default_tablespace = '';
CREATE TABLE public.account_groups (
    account_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT account_groups_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
    CONSTRAINT account_groups_name_check1 CHECK ((name !~ '[^A-Za-z0-9_.-]'::text))
);
CREATE TABLE public.accounts (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL,
    password_hash text,
    locale text NOT NULL,
    terms_version text,
    created_at bigint NOT NULL,
    verified_at bigint,
    disabled_at bigint,
    browsers_known_since bigint,
    CONSTRAINT accounts_browsers_known_since_check CHECK ((browsers_known_since >= 0)),
    CONSTRAINT accounts_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT accounts_disabled_at_check CHECK ((disabled_at >= 0)),
    CONSTRAINT accounts_email_check CHECK ((email <> ''::text)),
    CONSTRAINT accounts_email_key_check CHECK ((email_key <> ''::text)),
    CONSTRAINT accounts_id_check CHECK ((id <> ''::text)),
    CONSTRAINT accounts_locale_check CHECK ((locale <> ''::text)),
    CONSTRAINT accounts_password_hash_check CHECK ((password_hash <> ''::text)),
    CONSTRAINT accounts_verified_at_check CHECK ((verified_at >= 0))
);
CREATE TABLE public.application_sessions (
    token_digest bytea NOT NULL,
    session_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    entered_at bigint NOT NULL,
    CONSTRAINT application_sessions_entered_at_check CHECK ((entered_at >= 0)),
    CONSTRAINT application_sessions_origin_check CHECK ((origin <> ''::text)),
    CONSTRAINT application_sessions_token_digest_check CHECK ((length(token_digest) = 32))
);
CREATE TABLE public.cache_changes (
    transaction xid8 DEFAULT pg_current_xact_id() NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    token_digest bytea,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT cache_changes_token_digest_check CHECK ((length(token_digest) = 32))
);
CREATE TABLE public.cache_horizon (
    one integer NOT NULL,
    purged_through xid8 NOT NULL,
    CONSTRAINT cache_horizon_one_check CHECK ((one = 1))
);
CREATE TABLE public.consents (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    text_digest bytea NOT NULL,
    locale text NOT NULL,
    address text NOT NULL,
    accepted_at bigint NOT NULL,
    CONSTRAINT consents_accepted_at_check CHECK ((accepted_at >= 0)),
    CONSTRAINT consents_id_check CHECK ((id <> ''::text)),
    CONSTRAINT consents_locale_check CHECK ((locale <> ''::text)),
    CONSTRAINT consents_text_digest_check CHECK ((length(text_digest) = 32))
);
CREATE TABLE public.database_id (
    one bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT database_id_id_check CHECK ((length(id) = 32)),
    CONSTRAINT database_id_one_check CHECK ((one = 1))
);
CREATE TABLE public.email_undos (
    token bytea NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT email_undos_check CHECK ((expires_at >= created_at)),
    CONSTRAINT email_undos_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT email_undos_email_check CHECK ((email <> ''::text)),
    CONSTRAINT email_undos_email_key_check CHECK ((email_key <> ''::text)),
    CONSTRAINT email_undos_token_check CHECK ((length(token) = 32))
);
CREATE TABLE public.factor_codes (
    account_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    CONSTRAINT factor_codes_digest_check CHECK ((length(digest) = 32))
);
CREATE TABLE public.factor_keys (
    account_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    counter bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    CONSTRAINT factor_keys_check CHECK ((last_used_at >= created_at)),
    CONSTRAINT factor_keys_counter_check CHECK ((counter >= 0)),
    CONSTRAINT factor_keys_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT factor_keys_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT factor_keys_sealed_check CHECK ((length(sealed) > 0))
);
CREATE TABLE public.factor_removals (
    account_id text NOT NULL COLLATE pg_catalog."C",
    asked_at bigint NOT NULL,
    due_at bigint NOT NULL,
    CONSTRAINT factor_removals_asked_at_check CHECK ((asked_at >= 0)),
    CONSTRAINT factor_removals_check CHECK ((due_at >= asked_at))
);
CREATE TABLE public.handover_tickets (
    digest bytea NOT NULL,
    session_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    browser bytea NOT NULL,
    target text NOT NULL,
    is_retry boolean NOT NULL,
    expires_at bigint NOT NULL,
    session_token bytea,
    CONSTRAINT handover_tickets_browser_check CHECK ((length(browser) = 32)),
    CONSTRAINT handover_tickets_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT handover_tickets_expires_at_check CHECK ((expires_at >= 0)),
    CONSTRAINT handover_tickets_origin_check CHECK ((origin <> ''::text)),
    CONSTRAINT handover_tickets_session_token_check CHECK ((length(session_token) = 32)),
    CONSTRAINT handover_tickets_target_check CHECK ((target ~~ '/%'::text))
);
CREATE TABLE public.heartbeat (
    one bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT heartbeat_at_check CHECK ((at >= 0)),
    CONSTRAINT heartbeat_one_check CHECK ((one = 1))
);
CREATE TABLE public.held_forms (
    digest bytea NOT NULL,
    session_id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT held_forms_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT held_forms_expires_at_check CHECK ((expires_at >= 0)),
    CONSTRAINT held_forms_sealed_check CHECK ((length(sealed) > 0))
);
CREATE TABLE public.identities (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    email text,
    refresh_token bytea,
    created_at bigint NOT NULL,
    last_used_at bigint,
    CONSTRAINT identities_check CHECK ((last_used_at >= created_at)),
    CONSTRAINT identities_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT identities_id_check CHECK ((id <> ''::text)),
    CONSTRAINT identities_issuer_check CHECK ((issuer <> ''::text)),
    CONSTRAINT identities_provider_check CHECK ((provider <> ''::text)),
    CONSTRAINT identities_refresh_token_check CHECK ((length(refresh_token) > 0)),
    CONSTRAINT identities_subject_check CHECK ((subject <> ''::text))
);
CREATE TABLE public.login_failures (
    key bytea NOT NULL,
    count bigint NOT NULL,
    last_at bigint NOT NULL,
    hour bigint DEFAULT 0 NOT NULL,
    in_hour bigint DEFAULT 0 NOT NULL,
    CONSTRAINT login_failures_check CHECK (((in_hour >= 0) AND (in_hour <= count))),
    CONSTRAINT login_failures_count_check CHECK ((count >= 1)),
    CONSTRAINT login_failures_hour_check CHECK ((hour >= 0)),
    CONSTRAINT login_failures_key_check CHECK ((length(key) = ANY (ARRAY[2, 16]))),
    CONSTRAINT login_failures_last_at_check CHECK ((last_at >= 0))
)
WITH (fillfactor='70');
CREATE TABLE public.machine_tokens (
    id text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    application text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint,
    CONSTRAINT machine_tokens_application_check CHECK ((application <> ''::text)),
    CONSTRAINT machine_tokens_check CHECK ((expires_at >= created_at)),
    CONSTRAINT machine_tokens_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT machine_tokens_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT machine_tokens_id_check CHECK ((id <> ''::text)),
    CONSTRAINT machine_tokens_label_check CHECK ((label <> ''::text)),
    CONSTRAINT machine_tokens_last_used_at_check CHECK ((last_used_at >= 0))
);
CREATE TABLE public.nodes (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    started_at bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    key_id bytea,
    previous_key_id bytea,
    CONSTRAINT nodes_check CHECK ((last_seen_at >= started_at)),
    CONSTRAINT nodes_id_check CHECK ((id <> ''::text)),
    CONSTRAINT nodes_key_id_check CHECK ((length(key_id) = 4)),
    CONSTRAINT nodes_name_check CHECK ((name <> ''::text)),
    CONSTRAINT nodes_previous_key_id_check CHECK ((length(previous_key_id) = 4)),
    CONSTRAINT nodes_started_at_check CHECK ((started_at >= 0)),
    CONSTRAINT nodes_version_check CHECK ((version <> ''::text))
);
CREATE TABLE public.outbox (
    id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    created_at bigint NOT NULL,
    due_at bigint,
    attempts bigint DEFAULT 0 NOT NULL,
    failure text,
    recipient bytea,
    domain bytea,
    urgent boolean DEFAULT false NOT NULL,
    leased_by text COLLATE pg_catalog."C",
    number bigint NOT NULL,
    CONSTRAINT outbox_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT outbox_check CHECK (((leased_by IS NULL) OR (due_at IS NOT NULL))),
    CONSTRAINT outbox_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT outbox_domain_check CHECK ((length(domain) = ANY (ARRAY[0, 16]))),
    CONSTRAINT outbox_due_at_check CHECK ((due_at >= 0)),
    CONSTRAINT outbox_id_check CHECK ((id <> ''::text)),
    CONSTRAINT outbox_leased_by_check CHECK ((leased_by <> ''::text)),
    CONSTRAINT outbox_recipient_check CHECK ((length(recipient) = ANY (ARRAY[0, 16]))),
    CONSTRAINT outbox_sealed_check CHECK ((length(sealed) > 0))
);
ALTER TABLE public.outbox ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.passkey_users (
    account_id text NOT NULL COLLATE pg_catalog."C",
    handle bytea NOT NULL,
    CONSTRAINT passkey_users_handle_check CHECK ((length(handle) = 64))
);
CREATE TABLE public.passkeys (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    credential_id bytea NOT NULL,
    algorithm bigint NOT NULL,
    public_key bytea NOT NULL,
    signature_count bigint NOT NULL,
    aaguid bytea NOT NULL,
    transports text NOT NULL,
    is_backup_eligible boolean NOT NULL,
    is_backed_up boolean NOT NULL,
    is_second_factor boolean NOT NULL,
    name text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    second_factor_since bigint,
    CONSTRAINT passkeys_aaguid_check CHECK ((length(aaguid) = 16)),
    CONSTRAINT passkeys_algorithm_check CHECK ((algorithm = ANY (ARRAY[('-7'::integer)::bigint, ('-8'::integer)::bigint, ('-257'::integer)::bigint]))),
    CONSTRAINT passkeys_check CHECK ((last_used_at >= created_at)),
    CONSTRAINT passkeys_check1 CHECK ((second_factor_since >= created_at)),
    CONSTRAINT passkeys_check2 CHECK ((is_backup_eligible OR (NOT is_backed_up))),
    CONSTRAINT passkeys_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT passkeys_credential_id_check CHECK (((length(credential_id) >= 16) AND (length(credential_id) <= 1023))),
    CONSTRAINT passkeys_id_check CHECK ((id <> ''::text)),
    CONSTRAINT passkeys_name_check CHECK ((name <> ''::text)),
    CONSTRAINT passkeys_public_key_check CHECK (((length(public_key) >= 1) AND (length(public_key) <= 2048))),
    CONSTRAINT passkeys_signature_count_check CHECK (((signature_count >= 0) AND (signature_count <= '4294967295'::bigint)))
);
CREATE TABLE public.password_times (
    account_id text NOT NULL COLLATE pg_catalog."C",
    set_at bigint,
    last_used_at bigint,
    CONSTRAINT password_times_last_used_at_check CHECK ((last_used_at >= 0)),
    CONSTRAINT password_times_set_at_check CHECK ((set_at >= 0))
);
CREATE TABLE public.pending_email_changes (
    flow bytea NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    code_digest bytea NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    code_expires_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    mail_id text COLLATE pg_catalog."C",
    CONSTRAINT pending_email_changes_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT pending_email_changes_code_digest_check CHECK ((length(code_digest) = 32)),
    CONSTRAINT pending_email_changes_code_expires_at_check CHECK ((code_expires_at >= 0)),
    CONSTRAINT pending_email_changes_email_check CHECK ((email <> ''::text)),
    CONSTRAINT pending_email_changes_email_key_check CHECK ((email_key <> ''::text)),
    CONSTRAINT pending_email_changes_expires_at_check CHECK ((expires_at >= 0)),
    CONSTRAINT pending_email_changes_flow_check CHECK ((length(flow) = 32)),
    CONSTRAINT pending_email_changes_mail_id_check CHECK ((mail_id <> ''::text))
);
CREATE TABLE public.pending_email_undos (
    flow bytea NOT NULL,
    token bytea NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    code_digest bytea NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    code_expires_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT pending_email_undos_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT pending_email_undos_code_digest_check CHECK ((length(code_digest) = 32)),
    CONSTRAINT pending_email_undos_code_expires_at_check CHECK ((code_expires_at >= 0)),
    CONSTRAINT pending_email_undos_email_key_check CHECK ((email_key <> ''::text)),
    CONSTRAINT pending_email_undos_expires_at_check CHECK ((expires_at >= 0)),
    CONSTRAINT pending_email_undos_flow_check CHECK ((length(flow) = 32))
);
CREATE TABLE public.pending_logins (
    flow bytea NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    proved_by text NOT NULL,
    proved_digest bytea,
    remembered boolean NOT NULL,
    return_to text,
    attempts bigint NOT NULL,
    started_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT pending_logins_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT pending_logins_check CHECK ((expires_at >= started_at)),
    CONSTRAINT pending_logins_flow_check CHECK ((length(flow) = 32)),
    CONSTRAINT pending_logins_proved_by_check CHECK ((proved_by = ANY (ARRAY['password'::text, 'provider'::text]))),
    CONSTRAINT pending_logins_proved_digest_check CHECK ((length(proved_digest) = 32)),
    CONSTRAINT pending_logins_started_at_check CHECK ((started_at >= 0))
);
CREATE TABLE public.pending_resets (
    flow bytea NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    code_digest bytea NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    code_expires_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    locale text NOT NULL,
    account_id text COLLATE pg_catalog."C",
    proved boolean DEFAULT false NOT NULL,
    return_to text,
    CONSTRAINT pending_resets_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT pending_resets_code_digest_check CHECK ((length(code_digest) = 32)),
    CONSTRAINT pending_resets_code_expires_at_check CHECK ((code_expires_at >= 0)),
    CONSTRAINT pending_resets_email_check CHECK ((email <> ''::text)),
    CONSTRAINT pending_resets_email_key_check CHECK ((email_key <> ''::text)),
    CONSTRAINT pending_resets_expires_at_check CHECK ((expires_at >= 0)),
    CONSTRAINT pending_resets_flow_check CHECK ((length(flow) = 32)),
    CONSTRAINT pending_resets_locale_check CHECK ((locale <> ''::text))
);
CREATE TABLE public.pending_signups (
    flow bytea NOT NULL,
    display_name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    password_hash text NOT NULL,
    code_digest bytea NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    code_expires_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consent_id text NOT NULL,
    terms_version text NOT NULL,
    terms_digest bytea NOT NULL,
    consented_at bigint NOT NULL,
    locale text NOT NULL,
    address text NOT NULL,
    return_to text,
    remembered boolean DEFAULT false NOT NULL,
    CONSTRAINT pending_signups_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT pending_signups_code_digest_check CHECK ((length(code_digest) = 32)),
    CONSTRAINT pending_signups_code_expires_at_check CHECK ((code_expires_at >= 0)),
    CONSTRAINT pending_signups_consent_id_check CHECK ((consent_id <> ''::text)),
    CONSTRAINT pending_signups_consented_at_check CHECK ((consented_at >= 0)),
    CONSTRAINT pending_signups_email_check CHECK ((email <> ''::text)),
    CONSTRAINT pending_signups_email_key_check CHECK ((email_key <> ''::text)),
    CONSTRAINT pending_signups_expires_at_check CHECK ((expires_at >= 0)),
    CONSTRAINT pending_signups_flow_check CHECK ((length(flow) = 32)),
    CONSTRAINT pending_signups_locale_check CHECK ((locale <> ''::text)),
    CONSTRAINT pending_signups_password_hash_check CHECK ((password_hash <> ''::text)),
    CONSTRAINT pending_signups_terms_digest_check CHECK ((length(terms_digest) = 32))
);
CREATE TABLE public.rate_limits (
    key bytea NOT NULL,
    arrival bigint NOT NULL,
    burst bigint,
    CONSTRAINT rate_limits_burst_check CHECK ((burst > 0)),
    CONSTRAINT rate_limits_key_check CHECK ((length(key) = 16))
)
WITH (fillfactor='70');
CREATE TABLE public.schema_migrations (
    number bigint NOT NULL,
    name text NOT NULL,
    applied_at bigint NOT NULL,
    only_adds boolean DEFAULT false NOT NULL
);
CREATE TABLE public.security_events (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    at bigint NOT NULL,
    address text NOT NULL,
    user_agent text NOT NULL,
    number bigint NOT NULL,
    count bigint DEFAULT 1 NOT NULL,
    CONSTRAINT security_events_at_check CHECK ((at >= 0)),
    CONSTRAINT security_events_count_check CHECK ((count >= 1)),
    CONSTRAINT security_events_id_check CHECK ((id <> ''::text)),
    CONSTRAINT security_events_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 64)))
);
ALTER TABLE public.security_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.security_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    token_digest bytea NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    idle_ms bigint NOT NULL,
    expires_at bigint NOT NULL,
    remembered boolean NOT NULL,
    proved_at bigint NOT NULL,
    proved_by text DEFAULT 'password'::text NOT NULL,
    second_factor text,
    awaits_terms boolean NOT NULL,
    awaits_factor boolean DEFAULT false NOT NULL,
    user_agent text NOT NULL,
    address text NOT NULL,
    CONSTRAINT sessions_check CHECK ((last_seen_at >= created_at)),
    CONSTRAINT sessions_check1 CHECK ((expires_at >= created_at)),
    CONSTRAINT sessions_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT sessions_id_check CHECK ((id <> ''::text)),
    CONSTRAINT sessions_idle_ms_check CHECK ((idle_ms >= 0)),
    CONSTRAINT sessions_proved_at_check CHECK ((proved_at >= 0)),
    CONSTRAINT sessions_proved_by_check CHECK ((proved_by = ANY (ARRAY['password'::text, 'provider'::text, 'passkey'::text]))),
    CONSTRAINT sessions_second_factor_check CHECK ((second_factor <> ''::text)),
    CONSTRAINT sessions_token_digest_check CHECK ((length(token_digest) = 32))
)
WITH (fillfactor='85');
CREATE TABLE public.sign_in_summaries (
    account_id text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL,
    due_at bigint NOT NULL,
    CONSTRAINT sign_in_summaries_check CHECK ((due_at >= since)),
    CONSTRAINT sign_in_summaries_since_check CHECK ((since >= 0))
);
CREATE TABLE public.signing_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    created_at bigint NOT NULL,
    signs_from bigint NOT NULL,
    CONSTRAINT signing_keys_check CHECK ((signs_from >= created_at)),
    CONSTRAINT signing_keys_created_at_check CHECK ((created_at >= 0)),
    CONSTRAINT signing_keys_id_check CHECK ((length(id) = 43)),
    CONSTRAINT signing_keys_sealed_check CHECK ((length(sealed) > 0))
);
CREATE TABLE public.trusted_browsers (
    account_id text NOT NULL COLLATE pg_catalog."C",
    browser bytea NOT NULL,
    expires_at bigint NOT NULL,
    user_agent text DEFAULT ''::text NOT NULL,
    CONSTRAINT trusted_browsers_browser_check CHECK ((length(browser) = 32)),
    CONSTRAINT trusted_browsers_expires_at_check CHECK ((expires_at >= 0))
);
CREATE TABLE public.used_tokens (
    digest bytea NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT used_tokens_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT used_tokens_expires_at_check CHECK ((expires_at >= 0))
);
CREATE TABLE public.wrong_codes (
    hour bigint NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT wrong_codes_count_check CHECK ((count >= 1)),
    CONSTRAINT wrong_codes_hour_check CHECK ((hour >= 0))
);
COPY public.account_groups (account_id, name) FROM stdin;
X2wdSaAO4Z1fvABE6SnKTg	staff
\.
COPY public.accounts (id, email, email_key, display_name, password_hash, locale, terms_version, created_at, verified_at, disabled_at, browsers_known_since) FROM stdin;
DjTajWLSJZt4VPiU03K68Q	eve@example.com	eve@example.com	Ève Löfgren	$argon2id$v=19$m=64,t=1,p=1$rQQt6mHCWUgOfdIbame6bg$Bs/dq9GZNNOiU/AYh/4FATK+6g3m1YGXMP+0ZrU0+dQ	en	1	1795632144240	1795632144240	\N	1795632144307
U25mcRd8dSY7epwEjq-8kQ	bob@example.com	bob@example.com	Bob 🌲	$argon2id$v=19$m=64,t=1,p=1$JHhaNwkI23BrpoVn/21nAQ$jGHBqNXAhz7qUnyCPpQ+4TeGV9utOEwreXksS0JiJYg	en	1	1795632144142	1795632144142	\N	1795632144276
X2wdSaAO4Z1fvABE6SnKTg	ada@example.com	ada@example.com	Ada Lovelace	$argon2id$v=19$m=64,t=1,p=1$oiuduotaU0dQvSYKGQCJfQ$2aVoEjLuKDUBIFEGRpIJVlgjP975P/+8eK3077qNK9A	en	1	1795632144091	1795632144091	\N	\N
\.
COPY public.application_sessions (token_digest, session_id, account_id, origin, entered_at) FROM stdin;
\.
COPY public.cache_changes (transaction, account_id, token_digest, changed_at) FROM stdin;
726	X2wdSaAO4Z1fvABE6SnKTg	\N	2026-11-25 18:42:25.560373+00
\.
COPY public.cache_horizon (one, purged_through) FROM stdin;
\.
COPY public.consents (id, account_id, version, text_digest, locale, address, accepted_at) FROM stdin;
C6w7NNqpTqf7PV18F_eSVQ	DjTajWLSJZt4VPiU03K68Q	1	\\x7a322efd221cbefc3174bb83f31373d028eb1e4c5c77e77a7ea02f43e16da34a	en	127.0.0.1	1795632144175
Zq1M0059BDXMylhTMdwwHA	U25mcRd8dSY7epwEjq-8kQ	1	\\x7a322efd221cbefc3174bb83f31373d028eb1e4c5c77e77a7ea02f43e16da34a	en	127.0.0.1	1795632144109
agcTJkGdZM_XXeUi7edFQQ	X2wdSaAO4Z1fvABE6SnKTg	1	\\x7a322efd221cbefc3174bb83f31373d028eb1e4c5c77e77a7ea02f43e16da34a	en	127.0.0.1	1795632144008
\.
COPY public.database_id (one, id) FROM stdin;
1	601fe7678188b6d699b50421c369e8ee
\.
COPY public.email_undos (token, account_id, email, email_key, created_at, expires_at) FROM stdin;
\.
COPY public.factor_codes (account_id, kind, digest) FROM stdin;
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x3bb4d661ed4a6ee04dc0c86cf84cea2ff0d5bfd3215e749b57c092f892f871fb
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x498bba41bb7ac66890412263ed44b88ab434c7d58b4b167a7a771cef40bcb46a
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x6b53be4e1ac791ea1dca98a0a11e575d8d04f3b5cfe47d0361a1954150a242fe
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x8cf76f3c5878485d44e82335110ea0be6af20a1f657430a8f2adbc2e5e2b1f0f
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x9754682ac1e65ca5ec16aa1eab286f3d26986efcd6d23ca787234b408bd321d2
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x97cc905026d235692aa8dd2d823ccd3ec4b95bd0ec5a6f6dae3f5a6958871326
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\xbc685260d4fae7f2f1e3ce697f7e8f59ebaacfe5d3a989b8afcc69b4a213f973
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\xd64d62234e5a712d2176d995ced60228eaa5ff8621fbacbd107a473163772a0c
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\xd75fc716598fa65b89dd2b803e4f052c60de2ce50e6557c2fc45c5b01389ea0d
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\xe78c2105aec5822066f406ee956af2dc588c2c77a040b1e9b4c11f4d06733e52
\.
COPY public.factor_keys (account_id, kind, sealed, counter, created_at, last_used_at) FROM stdin;
U25mcRd8dSY7epwEjq-8kQ	recovery_code	\\x46ebdc010e8a8e4202dba7cac5321580128f7d18c81e7ce144095907a1dee3d4cde5788aa59e6e383c101d7cd878d826566a7ce157966e2e092d2dd28c527b6b	10	1795632144290	\N
U25mcRd8dSY7epwEjq-8kQ	totp	\\x46ebdc01e128788ca5a281e200a4160e06c08aa72210053897360752b4140dfb5b731943d7e487debd197628eb13c5393988267b	59854404	1795632144275	\N
\.
COPY public.factor_removals (account_id, asked_at, due_at) FROM stdin;
\.
COPY public.handover_tickets (digest, session_id, account_id, origin, browser, target, is_retry, expires_at, session_token) FROM stdin;
\.
COPY public.heartbeat (one, at) FROM stdin;
\.
COPY public.held_forms (digest, session_id, sealed, expires_at) FROM stdin;
\.
COPY public.identities (id, account_id, provider, issuer, subject, email, refresh_token, created_at, last_used_at) FROM stdin;
\.
COPY public.login_failures (key, count, last_at, hour, in_hour) FROM stdin;
\.
COPY public.machine_tokens (id, digest, application, label, created_at, expires_at, last_used_at) FROM stdin;
UC8Jk3KuV0eoG5HYB7ZdeQ	\\xb6b39d1a88c85905f1de806f4e2a711203ab7daa3cf1ade1f82282149edd19b9	notes	backup	1795632144519	\N	\N
\.
COPY public.nodes (id, name, version, started_at, last_seen_at, key_id, previous_key_id) FROM stdin;
\.
COPY public.outbox (id, sealed, created_at, due_at, attempts, failure, recipient, domain, urgent, leased_by, number) FROM stdin;
\.
COPY public.passkey_users (account_id, handle) FROM stdin;
DjTajWLSJZt4VPiU03K68Q	\\xe0160942380ad70c43802568666fe942ff81e0be22b3d84945ea731057f1d69d7784cb35c6955dcd2a41a770715cfd0c33a169aceb876a5cf27b78ddb7ce57eb
\.
COPY public.passkeys (id, account_id, credential_id, algorithm, public_key, signature_count, aaguid, transports, is_backup_eligible, is_backed_up, is_second_factor, name, created_at, last_used_at, second_factor_since) FROM stdin;
HpUQ5rT3uukqyFie1lg9Tg	DjTajWLSJZt4VPiU03K68Q	\\x2f5166e9c781673216db3f2cf3ad3cee323e31adf6a5c53c7684304b6db5c422	-7	\\x3c3b0824819bdfcf64483575538881a800e007b446385fedb17c3b291554da867e311f113b3097c48f5d3663cff0f98209968c5cda26d44d41c5379627af9370	0	\\x00000000000000000000000000000000		f	f	t	My phone	1795632144306	\N	\N
\.
COPY public.password_times (account_id, set_at, last_used_at) FROM stdin;
DjTajWLSJZt4VPiU03K68Q	1795632144240	1795632144254
U25mcRd8dSY7epwEjq-8kQ	1795632144142	1795632144156
X2wdSaAO4Z1fvABE6SnKTg	1795632144091	1795632144099
\.
COPY public.pending_email_changes (flow, account_id, email, email_key, code_digest, attempts, code_expires_at, expires_at, mail_id) FROM stdin;
\.
COPY public.pending_email_undos (flow, token, email_key, code_digest, attempts, code_expires_at, expires_at) FROM stdin;
\.
COPY public.pending_logins (flow, account_id, proved_by, proved_digest, remembered, return_to, attempts, started_at, expires_at) FROM stdin;
\.
COPY public.pending_resets (flow, email, email_key, code_digest, attempts, code_expires_at, expires_at, locale, account_id, proved, return_to) FROM stdin;
\.
COPY public.pending_signups (flow, display_name, email, email_key, password_hash, code_digest, attempts, code_expires_at, expires_at, consent_id, terms_version, terms_digest, consented_at, locale, address, return_to, remembered) FROM stdin;
\.
COPY public.rate_limits (key, arrival, burst) FROM stdin;
\.
COPY public.schema_migrations (number, name, applied_at, only_adds) FROM stdin;
1	tables	1795632145500	t
2	trusted browsers	1795632145508	t
\.
COPY public.security_events (id, kind, account_id, at, address, user_agent, number, count) FROM stdin;
N9JiyCbyy5af_wufebWMuQ	signup	X2wdSaAO4Z1fvABE6SnKTg	1795632144091	127.0.0.1		1	1
CpLxF-G4541SF9XczW_0EQ	login	X2wdSaAO4Z1fvABE6SnKTg	1795632144091	127.0.0.1		2	1
CEOWGmHw6bVtXUMw8uGIFQ	login_new_device	X2wdSaAO4Z1fvABE6SnKTg	1795632144099	127.0.0.1	browser of ada	3	1
BWkbV3sI3LinUuctwncnew	signup	U25mcRd8dSY7epwEjq-8kQ	1795632144142	127.0.0.1		4	1
dwujmC5aC3YxSWdV4QaI-w	login	U25mcRd8dSY7epwEjq-8kQ	1795632144142	127.0.0.1		5	1
G9GfC-IKSKwuJvl1xFnHZA	login_new_device	U25mcRd8dSY7epwEjq-8kQ	1795632144156	127.0.0.1	browser of bob	6	1
XKsVsbJbSOpp0PP4ELjhkw	signup	DjTajWLSJZt4VPiU03K68Q	1795632144240	127.0.0.1		7	1
YKNnDRnIS34Pkr2pqtG3_Q	login	DjTajWLSJZt4VPiU03K68Q	1795632144240	127.0.0.1		8	1
LzraH0EYX2PonEXmDqDWIA	login_new_device	DjTajWLSJZt4VPiU03K68Q	1795632144254	127.0.0.1	browser of eve	9	1
TdgRdP5jZ7G3xl7BDbFagg	totp_added	U25mcRd8dSY7epwEjq-8kQ	1795632144276	127.0.0.1	browser of bob	10	1
ai-0dGwjYx1DEZ1HNUGk0g	recovery_codes_made	U25mcRd8dSY7epwEjq-8kQ	1795632144290	127.0.0.1	browser of bob	11	1
To9H0Bs1cSB2JIXvZPvMfQ	passkey_added	DjTajWLSJZt4VPiU03K68Q	1795632144307	127.0.0.1	browser of eve	12	1
al1xMCBXKwH0rWMyd28cbw	groups_changed	X2wdSaAO4Z1fvABE6SnKTg	1795632144427		vestibule command	13	1
AflvlqsuxZMfmXYwqQ8Lng	machine_token_created	\N	1795632144519		vestibule command	14	1
\.
COPY public.sessions (id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, proved_at, proved_by, second_factor, awaits_terms, awaits_factor, user_agent, address) FROM stdin;
ATnMq85cMFU3H8zLmzfrtQ	\\x360028f580aaad43253a908625ceeb666c0d15b67009d00a3b6baa4bab0a54b6	U25mcRd8dSY7epwEjq-8kQ	1795632144142	1795632144142	43200000	1795718544142	f	1795632144142	password	\N	f	f		127.0.0.1
AjkXLVL_RmLz8BF0XlWVLA	\\x519b8c56f3a47db4cbd3e6de94c9c864feeacd69dbedd17ba5cd1f8c2446db7a	DjTajWLSJZt4VPiU03K68Q	1795632144254	1795632144254	3153600000000	4949232144254	t	1795632144307	password	passkey	f	f	browser of eve	127.0.0.1
HWjvh9D9SzWYYhmMmwyVGQ	\\xcaff75a91618fe8d081e2eb49eaccfeb43cc17718ea3d35027c5aeb72a9e5318	X2wdSaAO4Z1fvABE6SnKTg	1795632144099	1795632144099	3153600000000	4949232144099	t	1795632144099	password	\N	f	f	browser of ada	127.0.0.1
IVUp_YFrlfyz0pj9oWM8mw	\\xcedbdaec9de27bc162dd30331b5392694c1043d78416195663a8e490daad0ae8	X2wdSaAO4Z1fvABE6SnKTg	1795632144091	1795632144091	43200000	1795718544091	f	1795632144091	password	\N	f	f		127.0.0.1
JXATq8zF6k00P5yHvo6trQ	\\xd11aecc89a40f53b4654ac7226e5835dcaa409fea510cf89edffbd6f7f83b77a	U25mcRd8dSY7epwEjq-8kQ	1795632144156	1795632144156	3153600000000	4949232144156	t	1795632144276	password	totp	f	f	browser of bob	127.0.0.1
S3RS3h-PgJZVZNTyilObow	\\x667ee0051c7f8bff4b8b78ad00fd5a9c5a96fc226c891b02402a443bb5ad1dbe	DjTajWLSJZt4VPiU03K68Q	1795632144240	1795632144240	43200000	1795718544240	f	1795632144240	password	\N	f	f		127.0.0.1
\.
COPY public.sign_in_summaries (account_id, since, due_at) FROM stdin;
\.
COPY public.signing_keys (id, sealed, created_at, signs_from) FROM stdin;
\.
COPY public.trusted_browsers (account_id, browser, expires_at, user_agent) FROM stdin;
\.
COPY public.used_tokens (digest, expires_at) FROM stdin;
\\x75e46bc628f31b17e39ff10625706c4d4b72e50515045149d3ec106954954d93	1795632444299
\.
COPY public.wrong_codes (hour, count) FROM stdin;
\.
SELECT pg_catalog.setval('public.outbox_number_seq', 1, false);
SELECT pg_catalog.setval('public.security_events_number_seq', 14, true);
ALTER TABLE ONLY public.account_groups
    ADD CONSTRAINT account_groups_pkey PRIMARY KEY (account_id, name);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_email_key_key UNIQUE (email_key);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.application_sessions
    ADD CONSTRAINT application_sessions_pkey PRIMARY KEY (token_digest);
ALTER TABLE ONLY public.application_sessions
    ADD CONSTRAINT application_sessions_session_id_origin_key UNIQUE (session_id, origin);
ALTER TABLE ONLY public.cache_horizon
    ADD CONSTRAINT cache_horizon_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.database_id
    ADD CONSTRAINT database_id_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.email_undos
    ADD CONSTRAINT email_undos_pkey PRIMARY KEY (token);
ALTER TABLE ONLY public.factor_codes
    ADD CONSTRAINT factor_codes_pkey PRIMARY KEY (account_id, kind, digest);
ALTER TABLE ONLY public.factor_keys
    ADD CONSTRAINT factor_keys_pkey PRIMARY KEY (account_id, kind);
ALTER TABLE ONLY public.factor_removals
    ADD CONSTRAINT factor_removals_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.handover_tickets
    ADD CONSTRAINT handover_tickets_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.heartbeat
    ADD CONSTRAINT heartbeat_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.held_forms
    ADD CONSTRAINT held_forms_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.login_failures
    ADD CONSTRAINT login_failures_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.machine_tokens
    ADD CONSTRAINT machine_tokens_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.machine_tokens
    ADD CONSTRAINT machine_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.passkey_users
    ADD CONSTRAINT passkey_users_handle_key UNIQUE (handle);
ALTER TABLE ONLY public.passkey_users
    ADD CONSTRAINT passkey_users_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.password_times
    ADD CONSTRAINT password_times_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.pending_email_changes
    ADD CONSTRAINT pending_email_changes_pkey PRIMARY KEY (flow);
ALTER TABLE ONLY public.pending_email_undos
    ADD CONSTRAINT pending_email_undos_pkey PRIMARY KEY (flow);
ALTER TABLE ONLY public.pending_logins
    ADD CONSTRAINT pending_logins_pkey PRIMARY KEY (flow);
ALTER TABLE ONLY public.pending_resets
    ADD CONSTRAINT pending_resets_pkey PRIMARY KEY (flow);
ALTER TABLE ONLY public.pending_signups
    ADD CONSTRAINT pending_signups_pkey PRIMARY KEY (flow);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_digest_key UNIQUE (token_digest);
ALTER TABLE ONLY public.sign_in_summaries
    ADD CONSTRAINT sign_in_summaries_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_signs_from_key UNIQUE (signs_from);
ALTER TABLE ONLY public.trusted_browsers
    ADD CONSTRAINT trusted_browsers_pkey PRIMARY KEY (account_id, browser);
ALTER TABLE ONLY public.used_tokens
    ADD CONSTRAINT used_tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.wrong_codes
    ADD CONSTRAINT wrong_codes_pkey PRIMARY KEY (hour);
CREATE INDEX application_sessions_by_account ON public.application_sessions USING btree (account_id);
CREATE INDEX cache_changes_by_time ON public.cache_changes USING btree (changed_at);
CREATE INDEX cache_changes_by_transaction ON public.cache_changes USING btree (transaction);
CREATE INDEX consents_by_account ON public.consents USING btree (account_id, accepted_at);
CREATE INDEX email_undos_by_account ON public.email_undos USING btree (account_id);
CREATE INDEX email_undos_by_expiry ON public.email_undos USING btree (expires_at);
CREATE INDEX factor_removals_by_due ON public.factor_removals USING btree (due_at);
CREATE INDEX handover_tickets_by_account ON public.handover_tickets USING btree (account_id);
CREATE INDEX handover_tickets_by_expiry ON public.handover_tickets USING btree (expires_at);
CREATE INDEX handover_tickets_by_session ON public.handover_tickets USING btree (session_id);
CREATE INDEX held_forms_by_expiry ON public.held_forms USING btree (expires_at);
CREATE INDEX held_forms_by_session ON public.held_forms USING btree (session_id);
CREATE INDEX identities_by_account ON public.identities USING btree (account_id);
CREATE INDEX machine_tokens_by_expiry ON public.machine_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX outbox_by_due ON public.outbox USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX outbox_by_turn ON public.outbox USING btree (((
CASE
    WHEN ((attempts > 3) OR ((attempts > 0) AND (failure IS NOT NULL))) THEN 2
    ELSE 0
END +
CASE
    WHEN urgent THEN 0
    ELSE 1
END)), due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX passkeys_by_account ON public.passkeys USING btree (account_id);
CREATE INDEX pending_email_changes_by_account ON public.pending_email_changes USING btree (account_id);
CREATE INDEX pending_email_changes_by_expiry ON public.pending_email_changes USING btree (expires_at);
CREATE INDEX pending_email_undos_by_expiry ON public.pending_email_undos USING btree (expires_at);
CREATE INDEX pending_email_undos_by_token ON public.pending_email_undos USING btree (token);
CREATE INDEX pending_logins_by_account ON public.pending_logins USING btree (account_id);
CREATE INDEX pending_logins_by_expiry ON public.pending_logins USING btree (expires_at);
CREATE INDEX pending_resets_by_account ON public.pending_resets USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX pending_resets_by_email ON public.pending_resets USING btree (email_key);
CREATE INDEX pending_resets_by_expiry ON public.pending_resets USING btree (expires_at);
CREATE INDEX pending_signups_by_email ON public.pending_signups USING btree (email_key);
CREATE INDEX pending_signups_by_expiry ON public.pending_signups USING btree (expires_at);
CREATE INDEX security_events_by_account ON public.security_events USING btree (account_id, at, number);
CREATE INDEX security_events_by_time ON public.security_events USING btree (at, number);
CREATE INDEX security_events_told ON public.security_events USING btree (account_id, at, number) WHERE (kind <> ALL (ARRAY['login_failed'::text, 'proof_failed'::text, 'code_failed'::text, 'password_rehashed'::text]));
CREATE INDEX sessions_by_account ON public.sessions USING btree (account_id);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sign_in_summaries_by_due ON public.sign_in_summaries USING btree (due_at);
CREATE INDEX trusted_browsers_by_expiry ON public.trusted_browsers USING btree (expires_at);
CREATE INDEX used_tokens_by_expiry ON public.used_tokens USING btree (expires_at);
CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE ON public.account_groups FOR EACH ROW EXECUTE FUNCTION public.note_group_change();
CREATE TRIGGER note_change AFTER DELETE OR UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION public.note_account_change();
CREATE TRIGGER note_change AFTER DELETE OR UPDATE ON public.application_sessions FOR EACH ROW EXECUTE FUNCTION public.note_session_change();
CREATE TRIGGER note_change AFTER DELETE OR UPDATE ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.note_session_change();
ALTER TABLE ONLY public.account_groups
    ADD CONSTRAINT account_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_sessions
    ADD CONSTRAINT application_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_sessions
    ADD CONSTRAINT application_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.email_undos
    ADD CONSTRAINT email_undos_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.factor_codes
    ADD CONSTRAINT factor_codes_account_id_kind_fkey FOREIGN KEY (account_id, kind) REFERENCES public.factor_keys(account_id, kind) ON DELETE CASCADE;
ALTER TABLE ONLY public.factor_keys
    ADD CONSTRAINT factor_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.factor_removals
    ADD CONSTRAINT factor_removals_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handover_tickets
    ADD CONSTRAINT handover_tickets_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handover_tickets
    ADD CONSTRAINT handover_tickets_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.held_forms
    ADD CONSTRAINT held_forms_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkey_users
    ADD CONSTRAINT passkey_users_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_times
    ADD CONSTRAINT password_times_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pending_email_changes
    ADD CONSTRAINT pending_email_changes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pending_email_undos
    ADD CONSTRAINT pending_email_undos_token_fkey FOREIGN KEY (token) REFERENCES public.email_undos(token) ON DELETE CASCADE;
ALTER TABLE ONLY public.pending_logins
    ADD CONSTRAINT pending_logins_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pending_resets
    ADD CONSTRAINT pending_resets_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_summaries
    ADD CONSTRAINT sign_in_summaries_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.trusted_browsers
    ADD CONSTRAINT trusted_browsers_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
