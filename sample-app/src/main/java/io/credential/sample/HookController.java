package io.credential.sample;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/** Takes webhooks in. What gets here was signed by a key of application.yml, and was not here before. */
@RestController
class HookController {

    @PostMapping({"/hooks/partner", "/hooks/pqc"})
    VerifiedWebhook signed(VerifiedWebhook webhook) {
        return webhook;
    }

    @PostMapping("/hooks/processor")
    ProcessorVerification processor(ProcessorVerification verification) {
        return verification;
    }
}
