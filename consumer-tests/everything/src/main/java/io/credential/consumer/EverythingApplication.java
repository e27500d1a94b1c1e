package io.credential.consumer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class EverythingApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(EverythingApplication.class, arguments);
    }
}
