package io.credential.spring.autoconfigure.actuate;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.apikeys.EmptyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.dispatcher.WebhookDispatcherAutoConfiguration;
import io.credential.spring.autoconfigure.inbox.WebhookInboxAutoConfiguration;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;

/**
 * Configures what Actuator shows: the endpoints, health and info. Masks secrets in all of its endpoints.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {
            ApiKeyRegistriesAutoConfiguration.class,
            ClusterAutoConfiguration.class,
            CredentialAutoConfiguration.class,
            KeyringAutoConfiguration.class,
            WebhookDispatcherAutoConfiguration.class,
            WebhookInboxAutoConfiguration.class
        },
        // So that @ConditionalOnBean does not match the empty registries.
        before = EmptyRegistriesAutoConfiguration.class)
@Import({
    EndpointsConfiguration.class,
    HealthConfiguration.class,
    InfoConfiguration.class,
    SanitizingConfiguration.class,
    SharedBeans.class
})
public final class ActuatorAutoConfiguration {}
