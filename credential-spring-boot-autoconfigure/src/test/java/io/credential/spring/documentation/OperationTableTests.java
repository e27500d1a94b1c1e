package io.credential.spring.documentation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyToken;
import io.credential.testing.DocTable;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.DeliveryStatistics;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.http.WebhookSender;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.ProcessorSignatures;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;

/** The pages on API keys and webhooks list every method that applications call, and every status of a delivery. */
class OperationTableTests {

    private static final List<String> PAGES =
            List.of("api-keys.md", "sending-webhooks.md", "operating-webhooks.md", "webhooks-in.md");

    private static final List<Class<?>> INTERFACES = List.of(
            ApiKeyRegistry.class,
            ApiKeyRegistries.class,
            WebhookDispatcher.class,
            Deliveries.class,
            DeadLetters.class,
            DeliveryStatistics.class,
            WebhookSigner.class,
            WebhookSigners.class,
            WebhookSender.class,
            WebhookVerifier.class,
            WebhookVerifiers.class,
            ProcessorSignature.class,
            ProcessorSignatures.class,
            NonceStore.class);

    @Test
    void tableThenListsEveryOperation() {
        Set<String> operations = new TreeSet<>();
        for (Class<?> type : INTERFACES) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !isObjectMethod(method) && !method.isSynthetic()) {
                    operations.add(type.getSimpleName() + "." + method.getName());
                }
            }
        }
        operations.add(ApiKeyToken.class.getSimpleName() + ".parse");

        DocTable.read(PAGES, "method").assertListsExactly(operations);
    }

    @Test
    void tableThenListsEveryDeliveryStatus() {
        List<String> statuses =
                Arrays.stream(DeliveryStatus.values()).map(DeliveryStatus::text).toList();

        DocTable.read("operating-webhooks.md", "delivery status").assertListsExactly(statuses);
    }

    @Test
    void tableThenListsEveryJobState() {
        List<String> states =
                Arrays.stream(BulkJobState.values()).map(BulkJobState::text).toList();

        DocTable.read("operating-webhooks.md", "job state").assertListsExactly(states);
    }

    private static boolean isObjectMethod(Method method) {
        return method.getName().equals("toString")
                || method.getName().equals("equals")
                || method.getName().equals("hashCode");
    }
}
