package io.credential.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Starts the sample for development on a PostgreSQL in a container: {@code mvn -pl sample-app -am spring-boot:test-run}. */
final class TestSampleApplication {

    private TestSampleApplication() {}

    public static void main(String[] args) {
        SpringApplication.from(SampleApplication::main)
                .with(PostgresContainer.class)
                .run(args);
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class PostgresContainer {

        @Bean
        @ServiceConnection
        PostgreSQLContainer postgres() {
            return new PostgreSQLContainer("postgres:18");
        }
    }
}
