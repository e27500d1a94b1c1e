package io.credential.consumer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;
import io.credential.spring.security.RequiresScope;

@SpringBootApplication
@RestController
class KeysApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(KeysApplication.class, arguments);
    }

    @GetMapping("/orders")
    @RequiresScope("orders:read")
    String orders(ApiKey caller) {
        return "orders of " + caller.ownerId();
    }
}
