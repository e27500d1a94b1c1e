package io.credential.sample;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/** Receives webhooks. Requests that reach it were signed with a key of application.yml, and are not replays. */
@RestController
class HookController {

    @PostMapping({"/hooks/partner", "/hooks/pqc"})
    SignedHook signed(VerifiedWebhook webhook) {
        return new SignedHook(webhook.algorithm(), webhook.kid(), webhook.timestamp(), webhook.id());
    }

    @PostMapping("/hooks/processor")
    ProcessorHook processor(ProcessorVerification verification) {
        return new ProcessorHook(verification.timestamp(), verification.scheme());
    }

    @PostMapping({"/hooks/standard", "/hooks/stripe", "/hooks/github", "/hooks/shopify", "/hooks/slack"})
    ForeignHook foreign(VerifiedWebhook webhook) {
        return new ForeignHook(webhook.sender(), webhook.scheme(), webhook.id(), webhook.timestamp());
    }

    record SignedHook(
            String algorithm,
            String kid,
            @Nullable Long timestamp,
            @Nullable String id) {}

    /** Has only what the sender's format contains. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ForeignHook(
            @Nullable String sender,
            String scheme,
            @Nullable String id,
            @Nullable Long timestamp) {}

    record ProcessorHook(long timestamp, String scheme) {}
}
