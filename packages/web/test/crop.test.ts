// The square of a picture that is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dragged, MOST_ZOOM, sideOf, squareOf, startCrop, zoomed } from '../src/chat/pictures/crop.ts';

const wide = { width: 400, height: 200 };

test('at first the middle of the picture is taken, as large as fits', () => {
  assert.deepEqual(squareOf(wide, startCrop), { left: 100, top: 0, side: 200 });
});

test('the square never leaves the picture', () => {
  assert.deepEqual(squareOf(wide, dragged(wide, startCrop, 5, 5)), { left: 0, top: 0, side: 200 });
  assert.deepEqual(squareOf(wide, dragged(wide, startCrop, -5, 0)), { left: 200, top: 0, side: 200 });
  const corner = dragged(wide, zoomed(wide, startCrop, 2), -9, -9);
  assert.deepEqual(squareOf(wide, corner), { left: 300, top: 100, side: 100 });
  // It grows again into the picture.
  assert.deepEqual(squareOf(wide, zoomed(wide, corner, 1)), { left: 200, top: 0, side: 200 });
});

test('dragging to the right shows more of the left', () => {
  assert.equal(squareOf(wide, dragged(wide, startCrop, 0.25, 0)).left, 50);
});

test('the enlargement has an end in both directions', () => {
  assert.equal(zoomed(wide, startCrop, 0.1).zoom, 1);
  assert.equal(zoomed(wide, startCrop, 99).zoom, MOST_ZOOM);
});

test('the made picture is not larger than what was taken', () => {
  assert.equal(sideOf({ left: 0, top: 0, side: 120.4 }), 120);
  assert.equal(sideOf({ left: 0, top: 0, side: 5000 }), 1024);
});
