package io.credential.consumer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import io.credential.webhook.signature.VerifiedWebhook;

@SpringBootApplication
@RestController
class ReceiverApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ReceiverApplication.class, arguments);
    }

    @PostMapping("/hooks/partner")
    String receive(VerifiedWebhook webhook, @RequestBody String body) {
        return webhook.kid() + " " + body;
    }

    @PostMapping("/hooks/others/*")
    String receiveOthers(VerifiedWebhook webhook, @RequestBody String body) {
        return webhook.scheme() + " " + body;
    }
}
