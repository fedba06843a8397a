#pragma once
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
#include <stdbool.h>

/* libpq, loaded when first needed: it brings Kerberos and LDAP along, memory that a server with another store never
   touches. Nothing below may be called before `vestibule_pq_load`. */

// Loads libpq. False when it is missing or older than 14.
bool vestibule_pq_load(void);

// The functions of libpq by the same names (see its manual).
PQconninfoOption *vestibule_pq_parse(const char *text, char **message);
void vestibule_pq_options_free(PQconninfoOption *options);
void vestibule_pq_text_free(char *text);

// Begins to connect. Notices of the server are dropped; nothing that is sent waits.
PGconn *vestibule_pq_connect_start(const char *const *names, const char *const *values);
// From now on `warned` is set when the server sends a warning, whatever its text. It lives as long as the connection.
void vestibule_pq_note_warnings(PGconn *connection, bool *warned);
PostgresPollingStatusType vestibule_pq_connect_poll(PGconn *connection);
void vestibule_pq_finish(PGconn *connection);
ConnStatusType vestibule_pq_status(const PGconn *connection);
int vestibule_pq_socket(const PGconn *connection);
const char *vestibule_pq_message(const PGconn *connection);
int vestibule_pq_server_version(const PGconn *connection);
const char *vestibule_pq_host(const PGconn *connection);
const char *vestibule_pq_port(const PGconn *connection);
bool vestibule_pq_needs_password(const PGconn *connection);

// Each returns false when nothing could be sent.
bool vestibule_pq_send_prepare(PGconn *connection, const char *name, const char *text, int count, const Oid *types);
bool vestibule_pq_send_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats);
bool vestibule_pq_send_query(PGconn *connection, const char *text);
bool vestibule_pq_enter_pipeline(PGconn *connection);
bool vestibule_pq_exit_pipeline(PGconn *connection);
bool vestibule_pq_sync_pipeline(PGconn *connection);
// 0 when everything was sent, 1 when something is left, -1 when the connection is lost.
int vestibule_pq_flush(PGconn *connection);
bool vestibule_pq_consume(PGconn *connection);
bool vestibule_pq_is_busy(PGconn *connection);

PGresult *vestibule_pq_result(PGconn *connection);
void vestibule_pq_clear(PGresult *result);
ExecStatusType vestibule_pq_result_status(const PGresult *result);
// `field` is one of PG_DIAG_…; NULL when there is none.
const char *vestibule_pq_result_field(const PGresult *result, int field);
int vestibule_pq_rows(const PGresult *result);
int vestibule_pq_columns(const PGresult *result);
const char *vestibule_pq_column_name(const PGresult *result, int column);
bool vestibule_pq_is_null(const PGresult *result, int row, int column);
const char *vestibule_pq_value(const PGresult *result, int row, int column);
int vestibule_pq_length(const PGresult *result, int row, int column);
// The number of rows a statement changed, as text; empty for others.
const char *vestibule_pq_changed(PGresult *result);
// What was executed: `COMMIT`, or `ROLLBACK` when a commit was asked of a transaction that had failed.
const char *vestibule_pq_command(PGresult *result);
