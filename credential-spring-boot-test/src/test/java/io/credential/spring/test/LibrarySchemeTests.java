package io.credential.spring.test;

import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

import io.credential.testing.RecordedWebhook;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;
import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The schemes of the library keep the contract, with what their senders and other libraries signed. */
@ParameterizedClass
@FieldSource("io.credential.testing.RecordedWebhook#ALL")
class LibrarySchemeTests extends WebhookSchemeContract {

    private final RecordedWebhook recorded;

    LibrarySchemeTests(RecordedWebhook recorded) {
        this.recorded = recorded;
    }

    @Override
    protected WebhookScheme scheme() {
        return WebhookSchemes.all().stream()
                .filter(scheme -> scheme.name().equals(recorded.scheme()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    protected List<SignedRequest> requests() {
        RecordedWebhook.Claims claims = recorded.claims();
        SignedRequest request = SignedRequest.of(
                "v1",
                recorded.key(),
                recorded.body().getBytes(UTF_8),
                new WebhookClaims(
                        claims.id(),
                        claims.type(),
                        claims.timestamp(),
                        claims.signed().stream().map(Part::valueOf).collect(Collectors.toSet())));
        recorded.headers().forEach(request::signedHeader);
        recorded.unsigned().forEach(request::header);
        return List.of(request);
    }

    @Override
    protected String otherKey() {
        return "whsec_" + "A".repeat(32);
    }
}
