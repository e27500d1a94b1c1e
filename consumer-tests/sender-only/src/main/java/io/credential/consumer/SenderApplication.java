package io.credential.consumer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class SenderApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SenderApplication.class, arguments);
    }
}
