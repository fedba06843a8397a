#include "CLibPQ.h"
#include <CLoading.h>
#include <string.h>

#define FUNCTIONS(X) \
    X(PQlibVersion) X(PQconninfoParse) X(PQconninfoFree) X(PQfreemem) \
    X(PQconnectStartParams) X(PQconnectPoll) X(PQfinish) X(PQstatus) X(PQsocket) X(PQerrorMessage) \
    X(PQserverVersion) X(PQhost) X(PQport) X(PQconnectionNeedsPassword) X(PQsetNoticeReceiver) X(PQsetnonblocking) \
    X(PQsendPrepare) X(PQsendQueryPrepared) X(PQsendQuery) \
    X(PQenterPipelineMode) X(PQexitPipelineMode) X(PQpipelineSync) \
    X(PQflush) X(PQconsumeInput) X(PQisBusy) X(PQgetResult) X(PQclear) X(PQresultStatus) X(PQresultErrorField) \
    X(PQntuples) X(PQnfields) X(PQfname) X(PQgetisnull) X(PQgetvalue) X(PQgetlength) X(PQcmdTuples) X(PQcmdStatus)

LOADED_LIBRARY("libpq", 5, FUNCTIONS)

bool vestibule_pq_load(void) { return load() && library.PQlibVersion() >= 140000; }

static void drop_notice(void *nothing, const PGresult *notice) {
    (void)nothing;
    (void)notice;
}

static void note_warning(void *warned, const PGresult *notice) {
    const char *severity = library.PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != NULL && strcmp(severity, "WARNING") == 0) *(bool *)warned = true;
}

PQconninfoOption *vestibule_pq_parse(const char *text, char **message) {
    return library.PQconninfoParse(text, message);
}

void vestibule_pq_options_free(PQconninfoOption *options) {
    library.PQconninfoFree(options);
}

void vestibule_pq_text_free(char *text) {
    library.PQfreemem(text);
}

PGconn *vestibule_pq_connect_start(const char *const *names, const char *const *values) {
    PGconn *connection = library.PQconnectStartParams(names, values, 1);
    if (connection == NULL) return NULL;
    library.PQsetNoticeReceiver(connection, drop_notice, NULL);
    return connection;
}

void vestibule_pq_note_warnings(PGconn *connection, bool *warned) {
    library.PQsetNoticeReceiver(connection, note_warning, warned);
}

PostgresPollingStatusType vestibule_pq_connect_poll(PGconn *connection) {
    PostgresPollingStatusType status = library.PQconnectPoll(connection);
    if (status == PGRES_POLLING_OK && library.PQsetnonblocking(connection, 1) != 0) return PGRES_POLLING_FAILED;
    return status;
}

void vestibule_pq_finish(PGconn *connection) {
    library.PQfinish(connection);
}

ConnStatusType vestibule_pq_status(const PGconn *connection) {
    return library.PQstatus(connection);
}

int vestibule_pq_socket(const PGconn *connection) {
    return library.PQsocket(connection);
}

const char *vestibule_pq_message(const PGconn *connection) {
    return library.PQerrorMessage(connection);
}

int vestibule_pq_server_version(const PGconn *connection) {
    return library.PQserverVersion(connection);
}

const char *vestibule_pq_host(const PGconn *connection) {
    return library.PQhost(connection);
}

const char *vestibule_pq_port(const PGconn *connection) {
    return library.PQport(connection);
}

bool vestibule_pq_needs_password(const PGconn *connection) {
    return library.PQconnectionNeedsPassword(connection) != 0;
}

bool vestibule_pq_send_prepare(PGconn *connection, const char *name, const char *text, int count, const Oid *types) {
    return library.PQsendPrepare(connection, name, text, count, types) == 1;
}

bool vestibule_pq_send_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats
) {
    return library.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1;
}

bool vestibule_pq_send_query(PGconn *connection, const char *text) {
    return library.PQsendQuery(connection, text) == 1;
}

bool vestibule_pq_enter_pipeline(PGconn *connection) {
    return library.PQenterPipelineMode(connection) == 1;
}

bool vestibule_pq_exit_pipeline(PGconn *connection) {
    return library.PQexitPipelineMode(connection) == 1;
}

bool vestibule_pq_sync_pipeline(PGconn *connection) {
    return library.PQpipelineSync(connection) == 1;
}

int vestibule_pq_flush(PGconn *connection) {
    return library.PQflush(connection);
}

bool vestibule_pq_consume(PGconn *connection) {
    return library.PQconsumeInput(connection) == 1;
}

bool vestibule_pq_is_busy(PGconn *connection) {
    return library.PQisBusy(connection) == 1;
}

PGresult *vestibule_pq_result(PGconn *connection) {
    return library.PQgetResult(connection);
}

void vestibule_pq_clear(PGresult *result) {
    library.PQclear(result);
}

ExecStatusType vestibule_pq_result_status(const PGresult *result) {
    return library.PQresultStatus(result);
}

const char *vestibule_pq_result_field(const PGresult *result, int field) {
    return library.PQresultErrorField(result, field);
}

int vestibule_pq_rows(const PGresult *result) {
    return library.PQntuples(result);
}

int vestibule_pq_columns(const PGresult *result) {
    return library.PQnfields(result);
}

const char *vestibule_pq_column_name(const PGresult *result, int column) {
    return library.PQfname(result, column);
}

bool vestibule_pq_is_null(const PGresult *result, int row, int column) {
    return library.PQgetisnull(result, row, column) == 1;
}

const char *vestibule_pq_value(const PGresult *result, int row, int column) {
    return library.PQgetvalue(result, row, column);
}

int vestibule_pq_length(const PGresult *result, int row, int column) {
    return library.PQgetlength(result, row, column);
}

const char *vestibule_pq_changed(PGresult *result) {
    return library.PQcmdTuples(result);
}

const char *vestibule_pq_command(PGresult *result) {
    return library.PQcmdStatus(result);
}
