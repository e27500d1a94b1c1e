package io.credential.spring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.cluster.internal.HostName;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;

/**
 * Contributes {@code credential} to the info endpoint: the configuration of this node, without URLs and secrets. Disabled by
 * default, so that the starter does not change what an application publishes.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(CredentialProperties.class)
final class InfoConfiguration {

    @Bean
    @ConditionalOnEnabledInfoContributor(value = "credential", fallback = InfoContributorFallback.DISABLE)
    InfoContributor credentialInfoContributor(
            CredentialProperties properties,
            ObjectProvider<ApiKeysProperties> apiKeys,
            ObjectProvider<WebhookProperties> webhooks,
            ObjectProvider<WebhookDispatcherProperties> dispatchers) {
        return builder -> {
            Map<String, Object> info = info(properties);
            apiKeys.ifAvailable(keys -> info.put("registries", prefixes(keys)));
            dispatchers.ifAvailable(dispatcher -> info.put("dispatcher", dispatcher.enabled()));
            webhooks.ifAvailable(
                    webhook -> info.put("inbound", webhook.inbound().keySet()));
            builder.withDetail("credential", info);
        };
    }

    /** Not at startup: finding out the name of the host may take long. */
    private static Map<String, Object> info(CredentialProperties properties) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("mode", properties.mode().name().toLowerCase(Locale.ROOT));
        info.put("nodeId", HostName.nodeName(properties.cluster()));
        return info;
    }

    private static Map<String, String> prefixes(ApiKeysProperties apiKeys) {
        Map<String, String> prefixes = new LinkedHashMap<>();
        apiKeys.registries()
                .forEach((namespace, registry) -> prefixes.put(namespace, registry.prefix() + "_" + namespace));
        return prefixes;
    }
}
