package io.credential.sample;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

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

    record SignedHook(String algorithm, String kid, long timestamp, String id) {}

    record ProcessorHook(long timestamp, String scheme) {}
}
