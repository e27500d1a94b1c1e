package io.credential.sample;

import java.time.InstantSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import io.credential.spring.web.CredentialExceptionHandler;

/** Operators and API keys are in the database, so Spring Boot's default user is excluded. */
@SpringBootApplication(exclude = UserDetailsServiceAutoConfiguration.class)
@Import(CredentialExceptionHandler.class)
public class SampleApplication {

    public static void main(String[] args) {
        SpringApplication.run(SampleApplication.class, args);
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }
}
