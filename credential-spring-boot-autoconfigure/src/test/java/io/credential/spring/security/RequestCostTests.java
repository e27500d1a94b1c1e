package io.credential.spring.security;

import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.testing.RecordedStatements;

import static org.assertj.core.api.Assertions.assertThat;

/** Nothing is done twice for a request with a key. */
class RequestCostTests {

    @TempDir
    static Path directory;

    private static HostApplication application;
    private static Host host;
    private static String key;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "credential.storage.path=" + directory.resolve("host.db"),
                "credential.keyring.location=file:" + directory.resolve("keyring.json"),
                "credential.api-keys.registries.live.prefix=bk");
        host = application.context().getBean(Host.class);
        key = application
                .context()
                .getBean(ApiKeyRegistry.class)
                .issue(IssueRequest.forOwner("owner-1").scopes("orders:read"))
                .key();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        host.headerReads.set(0);
        AuditQueues.drain(application.context());
        host.recording.clear();
        application.context().getBean(RecordedStatements.class).clear();
    }

    @Test
    void getWhenAKeyIsPresentedThenItsHeaderIsReadOnce() {
        assertThat(application.get("/orders", "X-API-Key", key).statusCode()).isEqualTo(200);

        assertThat(host.headerReads).hasValue(1);
    }

    @Test
    void getWhenAKeyIsPresentedThenOneStatementRuns() {
        assertThat(application.get("/orders", "X-API-Key", key).statusCode()).isEqualTo(200);

        assertThat(application.context().getBean(RecordedStatements.class).statements())
                .filteredOn(sql -> !sql.startsWith("UPDATE _credential_api_keys SET last_used_at"))
                .singleElement()
                .asString()
                .startsWith("SELECT");
    }

    @Test
    void getWhenAKeyIsPresentedThenAuditedOnAnotherThread() {
        assertThat(application.get("/orders", "X-API-Key", key).statusCode()).isEqualTo(200);
        AuditQueues.drain(application.context());

        assertThat(host.recording).containsExactly("apikey.verify on credential-audit");
    }

    @Test
    void postWhenAScopeIsMissingThenAuditedOnAnotherThread() {
        assertThat(application.post("/orders", "X-API-Key", key).statusCode()).isEqualTo(403);
        AuditQueues.drain(application.context());

        assertThat(host.recording)
                .containsExactly("apikey.verify on credential-audit", "apikey.authorize on credential-audit");
    }

    @Test
    void issueWhenDoneThenAuditedOnTheCallingThread() {
        application.context().getBean(ApiKeyRegistry.class).issue(IssueRequest.forOwner("owner-1"));

        assertThat(host.recording)
                .containsExactly("apikey.issue on " + Thread.currentThread().getName());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                HibernateJpaAutoConfiguration.class,
                DataJpaRepositoriesAutoConfiguration.class,
                FlywayAutoConfiguration.class
            })
    @Import(OrdersController.class)
    static class Host {

        private final AtomicInteger headerReads = new AtomicInteger();
        private final List<String> recording = new CopyOnWriteArrayList<>();

        @Bean
        AuditSink auditSink() {
            return event ->
                    recording.add(event.name() + " on " + Thread.currentThread().getName());
        }

        @Bean
        static BeanPostProcessor recordedStatements() {
            return new BeanPostProcessor() {

                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource dataSource ? new RecordedStatements(dataSource) : bean;
                }
            };
        }

        @Bean
        FilterRegistrationBean<Filter> countingFilter() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) ->
                    chain.doFilter(new CountingRequest((HttpServletRequest) request, headerReads), response));
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }
    }

    private static final class CountingRequest extends HttpServletRequestWrapper {

        private final AtomicInteger reads;

        CountingRequest(HttpServletRequest request, AtomicInteger reads) {
            super(request);
            this.reads = reads;
        }

        @Override
        public @Nullable String getHeader(String name) {
            count(name);
            return super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            count(name);
            return super.getHeaders(name);
        }

        private void count(String name) {
            if (name.equals("X-API-Key")) {
                reads.incrementAndGet();
            }
        }
    }
}
