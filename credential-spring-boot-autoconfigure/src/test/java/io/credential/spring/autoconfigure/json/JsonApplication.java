package io.credential.spring.autoconfigure.json;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.DeliveryStatus;

/** An application that has configured nothing about JSON. */
@SpringBootConfiguration
@EnableAutoConfiguration
class JsonApplication {

    @RestController
    static class ValueController {

        @GetMapping("/values/{type}")
        Object value(@PathVariable String type) throws ClassNotFoundException {
            return ResultTypes.valueOf(Class.forName(type));
        }

        @GetMapping("/status")
        @Nullable DeliveryStatus status(@RequestParam @Nullable DeliveryStatus status) {
            return status;
        }

        @PostMapping("/status")
        DeliveryStatus posted(@RequestBody StatusBody body) {
            return body.status();
        }

        @GetMapping("/secret")
        SecretBytes secret() {
            return SecretBytes.copyOf(new byte[] {1, 2, 3});
        }
    }

    record StatusBody(DeliveryStatus status) {}
}
