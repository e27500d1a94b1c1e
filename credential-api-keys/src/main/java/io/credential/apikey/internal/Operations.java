package io.credential.apikey.internal;

import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.audit.internal.AuditTrail;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeadershipRequiredException;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.internal.HasherBusyException;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Runs the operations. A change runs in a transaction, and only on the leader. A failure that says nothing about the key
 * becomes {@code api-key/unavailable}. Success and failure are audited.
 */
final class Operations {

    private final CredentialDatabase database;
    private final Leadership leadership;
    private final AuditTrail audit;

    Operations(CredentialDatabase database, Leadership leadership, AuditTrail audit) {
        this.database = database;
        this.leadership = leadership;
        this.audit = audit;
    }

    /**
     * The result of an operation.
     *
     * @param value what the caller gets
     * @param resourceId the key that the audit event names, if any
     * @param attributes the attributes of the audit event
     */
    record Result<T>(T value, @Nullable String resourceId, Map<String, Object> attributes) {}

    /**
     * Runs a change in the caller's transaction or a new one. A refusal must come before the first write: it does
     * not roll the caller's transaction back.
     */
    <T> T change(String operation, Supplier<Result<T>> work) {
        return audited(operation, () -> inGuardedTransaction(work));
    }

    /**
     * Runs an operation that makes its changes by {@link #inGuardedTransaction}; its success is audited when the
     * caller's transaction commits.
     *
     * @throws ApiKeyException {@code api-key/read-only-transaction} before the work begins
     * @throws NotLeaderException on a node that is not the leader, before the work begins
     */
    <T> T audited(String operation, Supplier<Result<T>> work) {
        return run(
                operation,
                () -> {
                    database.requireWritable();
                    refuseUnlessLeader();
                    return work.get();
                },
                database::afterCommit);
    }

    /** Refuses before any work. The leader runs no statement for this: each transaction is guarded in any case. */
    void refuseUnlessLeader() {
        if (!leadership.isLeader()) {
            inGuardedTransaction(() -> true);
        }
    }

    /** Runs an operation that writes what every node may write; its success is audited when the caller's transaction commits. */
    <T> T write(String operation, Supplier<Result<T>> work) {
        return run(
                operation,
                () -> {
                    database.requireWritable();
                    return work.get();
                },
                database::afterCommit);
    }

    /** Runs an operation that only reads. It is audited immediately, however the transaction ends. */
    <T> T read(String operation, Supplier<Result<T>> work) {
        return run(operation, work, Runnable::run);
    }

    /** A caller may pass anything as an id, even a token: only ids of existing keys are audited. */
    private <T> T run(String operation, Supplier<Result<T>> work, Consumer<Runnable> onSuccess) {
        try {
            Result<T> result = orUnavailable(work);
            onSuccess.accept(audit.successReport(operation, result.resourceId(), result.attributes()));
            return result.value();
        } catch (ApiKeyException e) {
            audit.failure(operation, reasonOf(e), e.keyId(), Map.of());
            throw e;
        }
    }

    /** Reports that a row is not authentic, if the operation continues nevertheless. */
    void integrityFailure(String operation, String id) {
        audit.failure(operation, "integrity", id, Map.of());
    }

    /**
     * Runs a change in the caller's transaction or a new one, on the leader only.
     *
     * @throws NotLeaderException on a node that is not the leader
     */
    <T> T inGuardedTransaction(Supplier<T> work) {
        return database.inTransaction(() -> Attempt.of(() -> {
                    requireLeader();
                    return work.get();
                }))
                .valueOrThrow();
    }

    private void requireLeader() {
        try {
            leadership.requireLeader();
        } catch (LeadershipRequiredException e) {
            throw new NotLeaderException(e.leader(), e.leaderUrl());
        }
    }

    /**
     * Turns failures that say nothing about the key into {@code api-key/unavailable}, or into {@code
     * api-key/database-error} or {@code api-key/read-only-transaction} if a retry does not help.
     */
    static <T> T orUnavailable(Supplier<T> work) {
        try {
            return work.get();
        } catch (ConcurrencyFailureException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.UNAVAILABLE,
                    "A concurrent change caused a conflict; retry. If the call was part of a transaction, retry the whole"
                            + " transaction",
                    e);
        } catch (DataAccessException | TransactionException e) {
            throw ApiKeyException.ofDatabase(e);
        } catch (UnknownSealKeyException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.UNAVAILABLE,
                    "The keyring has no key '" + e.keyId() + "'; add it to the keyring",
                    e);
        } catch (HasherBusyException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.UNAVAILABLE, "Too many secrets are being hashed at once; retry later", e);
        }
    }

    private static String reasonOf(ApiKeyException e) {
        return e.errorCode() == ApiKeyErrorCode.UNREADABLE_ROW
                ? "integrity"
                : e.code().substring(e.code().indexOf('/') + 1);
    }

    /** Carries a refusal out of the transaction: thrown inside, it would roll back that of the caller. */
    private record Attempt<T>(@Nullable T value, @Nullable ApiKeyException refusal) {

        static <T> Attempt<T> of(Supplier<T> work) {
            try {
                return new Attempt<>(work.get(), null);
            } catch (ApiKeyException refusal) {
                if (refusal.getCause() instanceof DataAccessException) {
                    throw refusal; // the transaction cannot be committed
                }
                return new Attempt<>(null, refusal);
            }
        }

        T valueOrThrow() {
            if (refusal != null) {
                throw refusal;
            }
            return Objects.requireNonNull(value);
        }
    }
}
