package io.credential.spring.autoconfigure.apikeys;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.ResourceLoader;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.leak.internal.LeakResponse;
import io.credential.apikey.leak.internal.LeakedKey;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.LeakAction;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.LeakReports;
import io.credential.spring.leak.internal.HttpsKeySource;
import io.credential.spring.leak.internal.LeakReportFilter;
import io.credential.spring.leak.internal.LeakReportHandler;
import io.credential.spring.leak.internal.PublishedKeys;
import io.credential.spring.leak.internal.ReportKey;
import io.credential.spring.leak.internal.ReportKeys;

/**
 * Receives reports of leaked keys in a servlet application, with or without Spring Security. Imported, so that the registries
 * are known before it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnCredential(Requirement.LEAK_REPORTS)
class LeakReportsConfiguration {

    private static final Duration FETCH_LIMIT = Duration.ofSeconds(5);

    /** Before Spring Security, like incoming webhooks: the filter authenticates the partner, and answers every request. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    private static final String PUBLIC_KEYS = "credential.api-keys.leak-reports.public-keys.";
    private static final String PEM = "-----BEGIN";

    /** The server matches the path, so other requests cost nothing. Defines no bean of type Filter, which would match them. */
    @Bean
    FilterRegistrationBean<LeakReportFilter> credentialLeakReportFilter(
            ApiKeysProperties apiKeys,
            ObjectProvider<JdbcApiKeyRegistries> registries,
            ObjectProvider<LeakedKeyListener> listeners,
            ResourceLoader resources,
            SharedBeans shared) {
        LeakReports configured = apiKeys.leakReports();
        LeakResponse response = response(configured.action());
        LeakReportHandler handler = reports -> {
            List<Optional<LeakedKey>> leaked = registries.getObject().leaks().respond(reports, response);
            List<LeakedKey> keys = leaked.stream().flatMap(Optional::stream).toList();
            listeners.forEach(listener -> listener.leaked(keys));
            return leaked;
        };
        FilterRegistrationBean<LeakReportFilter> registration = new FilterRegistrationBean<>(new LeakReportFilter(
                keys(configured, resources, shared),
                handler,
                Math.toIntExact(configured.maxBodySize().toBytes()),
                configured.maxReports()));
        registration.setName("credentialLeakReportFilter");
        registration.addUrlPatterns(configured.path());
        registration.setDispatcherTypes(DispatcherType.REQUEST);
        registration.setOrder(ORDER);
        return registration;
    }

    @Bean
    SmartInitializingSingleton credentialLeakReportCheck(ObjectProvider<JdbcApiKeyRegistries> registries) {
        return () -> {
            if (registries.getIfAvailable() == null) {
                throw new CredentialConfigurationException(
                        "'credential.api-keys.leak-reports.enabled' is true, but a bean of the application replaces the"
                                + " auto-configured registries, which find leaked keys.",
                        "Remove the bean of type ApiKeyRegistries, or the property.");
            }
        };
    }

    private static LeakResponse response(LeakAction action) {
        return switch (action) {
            case DISABLE -> LeakResponse.DISABLE;
            case REVOKE -> LeakResponse.REVOKE;
            case REPORT -> LeakResponse.REPORT;
        };
    }

    private static ReportKeys keys(LeakReports configured, ResourceLoader resources, SharedBeans shared) {
        Map<String, ReportKey> keys = new HashMap<>();
        configured.publicKeys().forEach((id, value) -> keys.put(id, key(id, value, resources)));
        ReportKeys known = id -> Optional.ofNullable(keys.get(id));
        return configured.publicKeysUrl().isEmpty()
                ? known
                : known.orElse(new PublishedKeys(
                        new HttpsKeySource(URI.create(configured.publicKeysUrl()), FETCH_LIMIT), shared.clock()));
    }

    private static ReportKey key(String id, String value, ResourceLoader resources) {
        try {
            return ReportKey.fromPem(value.strip().startsWith(PEM) ? value : read(value, resources));
        } catch (IOException | IllegalArgumentException e) {
            throw new CredentialConfigurationException(
                    "The public key '" + PUBLIC_KEYS + id + "' cannot be used: " + e.getMessage() + ".",
                    "Set it to a key in PEM form, or to the location of one, for example 'classpath:partner.pem'.",
                    e);
        }
    }

    private static String read(String location, ResourceLoader resources) throws IOException {
        int maxLength = 8192;
        try (InputStream resource = resources.getResource(location).getInputStream()) {
            return new String(resource.readNBytes(maxLength), StandardCharsets.ISO_8859_1);
        }
    }
}
