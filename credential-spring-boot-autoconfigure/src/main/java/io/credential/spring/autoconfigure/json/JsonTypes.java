package io.credential.spring.autoconfigure.json;

import java.util.ArrayList;
import java.util.List;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.ApiKeyTicket;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ImportResult;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RotatedApiKey;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.ratelimit.Quota;
import io.credential.secret.HashAlgorithm;
import io.credential.spring.autoconfigure.diagnostics.internal.Library;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeadLetterGroup;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointPage;
import io.credential.webhook.delivery.EndpointStatistics;
import io.credential.webhook.delivery.EndpointSummary;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.RetryOutcome;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.inbox.InboxPage;
import io.credential.webhook.inbox.InboxStatus;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.scheme.WebhookClaims;

/**
 * The public types of one library. Those of each library are in a class that is loaded only if the library is present.
 *
 * @param enums the enums
 * @param withAbsentValues records with values that may be absent
 * @param withSecrets records with the secret of a key
 */
record JsonTypes(List<EnumWords<?>> enums, List<Class<?>> withAbsentValues, List<Class<?>> withSecrets) {

    /** Returns those of the libraries on the class path. */
    static List<JsonTypes> present() {
        List<JsonTypes> present = new ArrayList<>();
        present.add(Core.types());
        if (Library.API_KEYS.isPresent()) {
            present.add(ApiKeys.types());
        }
        if (Library.INBOUND_WEBHOOKS.isPresent()) {
            present.add(Signature.types());
        }
        if (Library.INBOX.isPresent()) {
            present.add(Inbox.types());
        }
        if (Library.DISPATCHER.isPresent()) {
            present.add(Delivering.types());
        }
        if (Library.AUDIT_LOG.isPresent()) {
            present.add(AuditLogs.types());
        }
        return present;
    }

    private static final class Core {

        static JsonTypes types() {
            return new JsonTypes(
                    List.of(
                            new EnumWords<>(AuditEvent.Outcome.class, AuditEvent.Outcome::text),
                            new EnumWords<>(HashAlgorithm.class, HashAlgorithm::text)),
                    List.of(AuditEvent.class, AuditOrigin.class),
                    List.of());
        }
    }

    private static final class ApiKeys {

        static JsonTypes types() {
            return new JsonTypes(
                    List.of(
                            new EnumWords<>(ApiKeyErrorCode.class, ApiKeyErrorCode::text),
                            new EnumWords<>(ApiKeyState.class, ApiKeyState::text),
                            new EnumWords<>(Quota.Period.class, Quota.Period::text),
                            new EnumWords<>(ForeignHashAlgorithm.class, ForeignHashAlgorithm::text)),
                    List.of(
                            ApiKey.class,
                            ApiKeyPage.class,
                            ApiKeyTicket.class,
                            ImportResult.class,
                            IssuedApiKey.class,
                            RotatedApiKey.class),
                    List.of(ApiKeyToken.class));
        }
    }

    private static final class Signature {

        static JsonTypes types() {
            return new JsonTypes(
                    List.of(
                            new EnumWords<>(WebhookClaims.Part.class, WebhookClaims.Part::text),
                            new EnumWords<>(WebhookErrorCode.class, WebhookErrorCode::text)),
                    List.of(ProcessorVerification.class, VerifiedWebhook.class),
                    List.of());
        }
    }

    private static final class Inbox {

        static JsonTypes types() {
            return new JsonTypes(
                    List.of(new EnumWords<>(InboxStatus.class, InboxStatus::text)),
                    List.of(InboxPage.class, StoredWebhook.class),
                    List.of());
        }
    }

    private static final class AuditLogs {

        static JsonTypes types() {
            return new JsonTypes(
                    List.of(new EnumWords<>(StoredAuditEvent.Authenticity.class, StoredAuditEvent.Authenticity::text)),
                    List.of(AuditPage.class, StoredAuditEvent.class),
                    List.of());
        }
    }

    private static final class Delivering {

        static JsonTypes types() {
            return new JsonTypes(
                    List.of(
                            new EnumWords<>(BulkJobState.class, BulkJobState::text),
                            new EnumWords<>(DeadReason.class, DeadReason::text),
                            new EnumWords<>(DeliveryStatus.class, DeliveryStatus::text),
                            new EnumWords<>(FailurePhase.class, FailurePhase::text),
                            new EnumWords<>(FailureReason.class, FailureReason::text),
                            new EnumWords<>(PauseReason.class, PauseReason::text),
                            new EnumWords<>(PayloadFormat.class, PayloadFormat::text),
                            new EnumWords<>(RetryOutcome.class, RetryOutcome::text),
                            new EnumWords<>(SignatureScheme.class, SignatureScheme::text),
                            new EnumWords<>(WebhookDispatcherErrorCode.class, WebhookDispatcherErrorCode::text)),
                    List.of(
                            BulkJob.class,
                            DeadLetterGroup.class,
                            Delivery.class,
                            DeliveryAttempt.class,
                            DeliveryPage.class,
                            Endpoint.class,
                            EndpointPage.class,
                            EndpointStatistics.class,
                            EndpointSummary.class,
                            ErasureResult.class),
                    List.of());
        }
    }
}
