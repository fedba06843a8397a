#pragma once
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
#include <CLoading.h>

/* libpq, loaded when first needed: it brings Kerberos and LDAP along, memory that a server with another store never
   touches. */

#define LIBPQ_FUNCTIONS(X) \
    X(PQlibVersion) X(PQconninfoParse) X(PQconninfoFree) X(PQfreemem) \
    X(PQconnectStartParams) X(PQconnectPoll) X(PQfinish) X(PQstatus) X(PQsocket) X(PQerrorMessage) \
    X(PQserverVersion) X(PQparameterStatus) X(PQhost) X(PQport) X(PQsetNoticeReceiver) X(PQsetnonblocking) \
    X(PQsendPrepare) X(PQsendQueryPrepared) X(PQsendQuery) \
    X(PQenterPipelineMode) X(PQexitPipelineMode) X(PQpipelineSync) \
    X(PQflush) X(PQconsumeInput) X(PQisBusy) X(PQgetResult) X(PQclear) X(PQresultStatus) X(PQresultErrorField) \
    X(PQntuples) X(PQnfields) X(PQfname) X(PQgetisnull) X(PQgetvalue) X(PQgetlength) X(PQcmdTuples) X(PQcmdStatus)

// The functions of libpq by their names (see its manual).
struct vestibule_libpq {
    LIBPQ_FUNCTIONS(LOADED_FUNCTION)
};

// Loads libpq. False when it is missing or older than 14.
bool vestibule_libpq_load(void);

// Nothing in it may be called before it is loaded.
const struct vestibule_libpq *vestibule_libpq_functions(void);
