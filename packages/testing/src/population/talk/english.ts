import type { Language } from './language.ts';

export const english: Language = {
  code: 'en',
  regionCode: 'GB',
  hoursAhead: 0,
  names: [
    ['Nora', 'nora'],
    ['Oscar', 'oscar'],
    ['Ines', 'ines'],
    ['Theo', 'theo'],
    ['Maya', 'maya'],
    ['Felix', 'felix'],
    ['Greta', 'greta'],
    ['Hugo', 'hugo'],
    ['Iris', 'iris'],
    ['Jonas', 'jonas'],
    ['Leila', 'leila'],
    ['Milo', 'milo'],
    ['Priya', 'priya'],
    ['Quentin', 'quentin'],
    ['Rosa', 'rosa'],
    ['Samir', 'samir'],
    ['Tess', 'tess'],
    ['Viktor', 'viktor'],
    ['Wanda', 'wanda'],
    ['Yusuf', 'yusuf'],
    ['Zoe', 'zoe'],
    ['Elif', 'elif'],
  ],
  statuses: [
    'Out walking the dog',
    'Reading, probably',
    'Back on Monday 🌊',
    'One more coffee ☕️',
    'Learning the cello. Sorry, neighbours',
    'صباح الخير ☀️',
    'שבוע טוב לכולם',
    'If it is urgent, call',
    'Slow replies this week',
    '🚲🌧️🚲',
    'Somewhere between two trains',
    'Tomatoes are doing fine 🍅',
  ],
  chatNames: {
    friends: ['Sunday table', 'Quiz night', 'The usual suspects', 'Lake trip', 'Film evening'],
    family: ['Family', 'Home 🏡', 'Everybody at home', 'Cousins'],
    team: ['Second floor', 'Release team', 'Workshop', 'Shift plan', 'Kitchen crew'],
    club: ['Hiking club', 'Choir', 'Book club', 'Running group'],
  },
  words: {
    day: ['on Friday', 'on Saturday', 'on Sunday', 'tomorrow', 'tonight', 'next week', 'on Thursday'],
    time: ['six', 'half past seven', 'eight', 'noon', 'a quarter to nine', 'five', 'ten'],
    place: ['the harbour', 'the small café', 'my place', 'the park', 'the old cinema', 'the market', 'the station'],
    food: ['soup', 'dumplings', 'pancakes', 'noodles', 'a salad', 'that lemon cake', 'curry', 'flatbread'],
    thing: ['umbrella', 'drill', 'tent', 'red scarf', 'suitcase', 'bike pump', 'recipe book', 'ladder'],
    hobby: ['pottery', 'climbing', 'chess', 'sourdough', 'watercolours', 'the ukulele', 'bird watching'],
    task: ['the report', 'the slides', 'the new form', 'the stock list', 'the rota', 'the translation'],
    count: ['two', 'three', 'four', 'six', 'a dozen'],
    weather: ['rain', 'sun', 'fog', 'wind', 'snow'],
  },
  scenes: {
    friends: [
      `Are you free {day}?|Any plans {day}?|What are you up to {day}?
I think so. What do you have in mind?|Free after {time}. Why?|Nothing yet!
{food} at {place}?|We could go to {place}.
Sounds good!|Yes, finally 😄|Count me in.
{time} then?|Shall we say {time}?
Perfect.|👍|See you there.`,
      `Did I leave my {thing} at yours?|Have you seen my {thing}?
Let me look|One moment, I'll check.
+Found it, it was behind the door.|Yes! It is here.
Phew. Can I pick it up {day}?|You are a star. I'll come by {day}.
Any time.|Sure, ring twice.`,
      `How was {hobby}?|How is {hobby} going?
Harder than it looks, but fun.|I am still terrible at it 😅|Better every week!
Show me some time.|Can I come along once?
Come {day}, there is always room.|Bring old clothes.`,
      `I just made {food} for {count} people and there is only me.
Do not touch anything. I am on my way.|Give me ten minutes 🏃
The door is open.|Bring a plate.`,
      `Look out of the window!|Have you seen the sky?
{weather} again?|What is it?
The most beautiful light over {place}.|A double rainbow 🌈
Oh wow.|Lovely. Take a picture!`,
      `Home safe?|Did you get home all right?
Yes, just in.|Train was late, but yes.
Good. Sleep well.|That was a nice evening.
It really was. Good night!|Let us do it again soon. 🌙`,
      `Quick question: how long do you cook {food}?
Until it smells right.|Twenty minutes, not longer.
That is not an answer 😂|Thanks, saved.
It is the only honest one.|Tell me how it turns out.`,
      `Happy birthday!! 🎉🎂|Happy birthday, you! 🎈
Thank you!!|That is so kind, thank you 🥰
What did you get?|Any cake?
A {thing} and far too much cake.|Three kinds! And something for {hobby}.`,
    ],
    family: [
      `Who is coming for dinner {day}?
Me|I am.
Me too, but I will be late.|Count me in. What is there?
{food}, as always.|{food}. Bring appetite.
😋|I will bring dessert.`,
      `Can somebody fetch the parcel from {place}?
I pass there anyway.|I can, around {time}.
Thank you! The code is in the kitchen.|You are the best.`,
      `Where is the {thing}?
In the cellar, second shelf.|Ask your brother.|Where it always is.
Found it, thanks.|He says the same of you.|Which means?`,
      `Grandma says hello 👋|Just talked to Grandma.
How is she?|Is the knee better?
Much better. She has started {hobby}.|She wants everybody to come {day}.
I will call her tonight.|Of course she does 😂`,
      `The cat is on the roof again.
Leave the window open and rattle the box.|Again?!
She is back. Not a word of apology.|Down by herself. Proud, too.`,
      `Landed ✈️|We are there!
Good! How is the weather?|Wonderful. Rest first.
{weather}, of course.|You would not believe it: {weather}.`,
    ],
    team: [
      `Is {task} ready?|Where do we stand with {task}?
Nearly. One open question.|Ready for a second pair of eyes.
Which question?|Send it over, I will look at {time}.
Whether we say {count} or leave it open.|Thanks. It is in the folder.
Leave it open.|Looks good to me. Two small notes inside.`,
      `I will be ten minutes late.|Train is stuck, sorry. Start without me.
No problem.|We start with {task}, take your time.
Made it.|Two more minutes`,
      `Who takes the early shift {day}?
I can.|Not me, dentist.
Thank you, noted.|Then I will. {time} at the door.`,
      `The printer on our floor is out again.
Did you turn it off and on?|It does not like {weather}.
It printed {count} copies of {task}. Who wants them?
😂|Keep one for the wall.`,
      `Good work today, everybody 👏|That went better than I feared.
Agreed. Lunch is on me {day}.|Thanks for {task}, it made the difference.
I will remember that.|🙌`,
      `Please have a look at {task} until {time}.
On it.|Doing it now.
Done, three typos and one idea.|Finished. See my comments.
Thank you!|Great, sending it out.`,
    ],
    club: [
      `We meet {day} at {time}, at {place}.
I will be there.|Count on me.
Sorry, not this time.|Can I bring a friend?
A pity. Next time.|Of course!`,
      `Does anybody have a spare {thing}?
I have {count}.|Yes, pick one up any time.
Wonderful, thank you!|You saved my day.`,
      `Pictures of last time are coming.|What a day that was.
Best one this year.|My legs still hurt.
Mine too 😄|Worth every step.`,
      `Who can drive {day}? We need {count} seats.
I have room for three.|I take the bike.
Then we are fine.|One seat is still missing.`,
      `It says {weather} for the whole day.
There is no bad weather.|Then we take the short way.
{time} stays, bring a {thing}.|We decide in the morning.`,
    ],
  },
  answers: [
    'Ha, good to hear from you!',
    'Give me a moment, I am on the stairs.',
    'Sounds good to me 👍',
    'Really? Tell me more.',
    'I was just thinking about that.',
    'Let me check and write back.',
    'Yes!',
    'Hm, perhaps tomorrow?',
    'That made me smile 😊',
    'Can we talk about it later?',
  ],
  captions: ['Look!', 'From today', 'This is it', 'Not bad, is it?', 'As promised'],
  files: ['Plan', 'Shopping list', 'Minutes', 'Route', 'Packing list', 'Notes'],
};
