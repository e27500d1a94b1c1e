package io.credential.apikey.internal;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.SecretMatcher.Slot;
import io.credential.apikey.internal.TokenJudge.Accepted;
import io.credential.apikey.internal.TokenJudge.Rejected;
import io.credential.apikey.internal.TokenJudge.Verdict;
import io.credential.audit.internal.AuditTrail;
import io.credential.observation.ApiKeyVerifyObservationContext;
import io.credential.observation.ApiKeyVerifyObservationConvention;
import io.credential.observation.CredentialObservation;
import io.credential.observation.internal.GuardedObservation;

/** Verifies tokens: has them judged, and reports the verdict. */
final class ApiKeyVerifier {

    static final String OPERATION = "apikey.verify";

    private static final ApiKeyVerifyObservationConvention OBSERVATION_CONVENTION =
            new ApiKeyVerifyObservationConvention();

    private final ApiKeyRegistryOptions options;
    private final TokenJudge judge;
    private final KeyUses uses;
    private final Consumer<ApiKey> oldSecretUses;
    private final AuditTrail audit;
    private final ObservationRegistry observations;

    /** @param oldSecretUses is given each key that is accepted with its old secret */
    ApiKeyVerifier(
            ApiKeyRegistryOptions options,
            TokenJudge judge,
            KeyUses uses,
            Consumer<ApiKey> oldSecretUses,
            AuditTrail audit,
            ObservationRegistry observations) {
        this.options = options;
        this.judge = judge;
        this.uses = uses;
        this.oldSecretUses = oldSecretUses;
        this.audit = audit;
        this.observations = observations;
    }

    Optional<ApiKey> verify(@Nullable String text) {
        if (observations.isNoop()) {
            return decide(text, null);
        }
        ApiKeyVerifyObservationContext context = new ApiKeyVerifyObservationContext(options.namespace());
        return GuardedObservation.startInScope(
                        CredentialObservation.API_KEY_VERIFY, OBSERVATION_CONVENTION, context, observations)
                .run(observed -> decide(text, observed), (observation, failure) -> {
                    context.failed(failure instanceof ApiKeyException ? "unavailable" : "unexpected");
                    observation.error(failure);
                });
    }

    /** @param observed gets the verdict; null if nothing observes it */
    private Optional<ApiKey> decide(@Nullable String text, @Nullable ApiKeyVerifyObservationContext observed) {
        Verdict verdict;
        try {
            verdict = Operations.orUnavailable(() -> judge.judge(text));
        } catch (ApiKeyException e) {
            audit.rejection(OPERATION, "unavailable", null, Map.of());
            throw e;
        }
        if (verdict instanceof Rejected rejected) {
            audit.rejection(OPERATION, rejected.reason(), rejected.keyId(), Map.of());
            if (observed != null) {
                observed.rejected(rejected.reason());
            }
            return Optional.empty();
        }
        ApiKey key = accept((Accepted) verdict);
        if (observed != null) {
            observed.accepted();
        }
        return Optional.of(key);
    }

    /** Observes the rejection of a token that belongs to no registry. */
    static void observeUnrouted(ObservationRegistry observations, String reason) {
        if (observations.isNoop()) {
            return;
        }
        ApiKeyVerifyObservationContext context = new ApiKeyVerifyObservationContext("none");
        context.rejected(reason);
        GuardedObservation.start(
                        CredentialObservation.API_KEY_VERIFY, OBSERVATION_CONVENTION, context, observations, null)
                .stop();
    }

    private ApiKey accept(Accepted accepted) {
        ApiKeyRow row = accepted.row();
        long now = accepted.now().toEpochMilli();
        boolean usedSecondary = accepted.slot() == Slot.SECONDARY;
        ApiKey key = accepted.contents().key(row, uses.used(row, now), usedSecondary);
        if (usedSecondary) {
            oldSecretUses.accept(key);
        }
        audit.successReport(OPERATION, row.id(), Map.of("usedSecondary", usedSecondary))
                .run();
        return key;
    }
}
