package io.credential.sample;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.WebhookDispatcher;

/** Lists dead deliveries and replays them. */
@RestController
@RequestMapping("/dead-letters")
@RequiresScope("webhooks:admin")
class DeadLetterController {

    private final DeadLetters deadLetters;

    DeadLetterController(WebhookDispatcher dispatcher) {
        this.deadLetters = dispatcher.dlq();
    }

    @GetMapping
    List<Delivery> list() {
        return deadLetters.list();
    }

    @PostMapping("/{id}/replay")
    Delivery replay(@PathVariable String id) {
        return deadLetters.replay(id);
    }
}
