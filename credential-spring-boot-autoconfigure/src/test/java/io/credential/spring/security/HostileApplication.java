package io.credential.spring.security;

import java.security.Principal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.CredentialDataSource;

/**
 * An application that has everything a starter could disturb: its own chains, Actuator, a servlet prefix, method
 * security, JPA, a clock, scheduled jobs and two databases.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        exclude = FlywayAutoConfiguration.class,
        excludeName =
                "org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration")
@EntityScan(basePackageClasses = HostileApplication.class)
@EnableMethodSecurity
@EnableScheduling
@Import({HostileApplication.NoteController.class, HostileApplication.Jobs.class})
class HostileApplication {

    @Bean
    @Primary
    DataSource applicationDataSource(@Value("${test.h2}") String url) {
        return DataSourceBuilder.create().url(url).build();
    }

    @Bean
    @CredentialDataSource
    DataSource keysDataSource(@Value("${test.sqlite}") String url) {
        return DataSourceBuilder.create().url(url).build();
    }

    @Bean
    Clock clock() {
        return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    }

    @Bean
    Notes notes(EntityManager entities, DataSource primary) {
        return new Notes(entities, primary);
    }

    @Bean
    @Order(1)
    SecurityFilterChain admin(HttpSecurity http) {
        return http.securityMatcher(pathsFrom("/app/admin/", "/login", "/logout"))
                .formLogin(Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .build();
    }

    /** Patterns would be relative to the prefix of the servlet. */
    private static RequestMatcher pathsFrom(String... starts) {
        return request -> Arrays.stream(starts).anyMatch(request.getRequestURI()::startsWith);
    }

    /** Asks for API keys where the starter is. */
    @Bean
    @Order(2)
    SecurityFilterChain keyed(HttpSecurity http, ObjectProvider<ApiKeyRegistries> registries) {
        registries.ifAvailable(present -> http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults()));
        return http.securityMatcher(pathsFrom("/app/keys/"))
                .httpBasic(Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .build();
    }

    @Bean
    @Order(3)
    SecurityFilterChain api(HttpSecurity http) {
        return http.httpBasic(Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .build();
    }

    @Entity
    static class Note {

        @Id
        long id;
    }

    static class Notes {

        private final EntityManager entities;
        private final DataSource primary;
        private long last;

        Notes(EntityManager entities, DataSource primary) {
            this.entities = entities;
            this.primary = primary;
        }

        @Transactional
        public String add() {
            Note note = new Note();
            note.id = ++last;
            entities.persist(note);
            entities.flush();
            return "on the primary database: " + TransactionSynchronizationManager.hasResource(primary);
        }

        @PreAuthorize("hasRole('ADMIN')")
        public String ofAdmins() {
            return "for admins";
        }
    }

    @RestController
    static class NoteController {

        private final Notes notes;

        NoteController(Notes notes) {
            this.notes = notes;
        }

        @GetMapping({"/admin/name", "/keys/name", "/api/name"})
        String name(Principal principal) {
            return principal.getName();
        }

        @GetMapping({"/keys/note", "/api/note"})
        String note() {
            return notes.add();
        }

        @GetMapping("/api/admin")
        String admin() {
            return notes.ofAdmins();
        }
    }

    static class Jobs {

        final Set<String> threads = new CopyOnWriteArraySet<>();
        final CountDownLatch ran = new CountDownLatch(2);

        @Scheduled(fixedDelay = 50)
        void run() {
            threads.add(Thread.currentThread().getName());
            ran.countDown();
        }
    }
}
