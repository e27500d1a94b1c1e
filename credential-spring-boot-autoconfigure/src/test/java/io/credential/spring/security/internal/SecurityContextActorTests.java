package io.credential.spring.security.internal;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import io.credential.spring.security.ApiKeyAuthentication;
import io.credential.spring.security.FakeRegistries;
import io.credential.spring.webhook.VerifiedWebhookAuthentication;

import static org.assertj.core.api.Assertions.assertThat;

class SecurityContextActorTests {

    private final SecurityContextActor actor =
            new SecurityContextActor(SecurityContextHolder::getContextHolderStrategy);

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static void logIn(Authentication authentication) {
        SecurityContextHolder.getContext().setAuthentication(authentication);
    }

    @Test
    void getWhenKeyIsAuthenticatedThenReturnsItsId() {
        logIn(new ApiKeyAuthentication(FakeRegistries.key("live"), List.of()));

        assertThat(actor.get()).isEqualTo("api-key:0011223344556677");
    }

    @Test
    void getWhenWebhookIsVerifiedThenNamesItAsWebhook() {
        logIn(new VerifiedWebhookAuthentication("admin", "what was verified"));

        assertThat(actor.get()).isEqualTo("webhook:admin");
    }

    @Test
    void getWhenUserIsAuthenticatedThenReturnsName() {
        logIn(new TestingAuthenticationToken("admin", "none", "ROLE_ADMIN"));

        assertThat(actor.get()).isEqualTo("admin");
    }

    @Test
    void getWhenNobodyIsAuthenticatedThenNull() {
        assertThat(actor.get()).isNull();
        logIn(new TestingAuthenticationToken("claimed", "none"));
        assertThat(actor.get()).as("not authenticated").isNull();
    }
}
